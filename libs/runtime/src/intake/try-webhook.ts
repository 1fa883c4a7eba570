import {
  asCasefileError,
  CasefileError,
  InvalidInput,
  type Alert,
  type FieldProblem,
  type JsonObject,
  type RunSettings,
} from '@casefile/contracts';
import type { Playbook, StagePorts } from '@casefile/pipeline';
import type { Config } from '../config/read-config.js';
import { describeInstallation } from '../installation/describe-installation.js';
import { freezeSettings } from '../installation/freeze-settings.js';
import { checkBody } from './body-bounds.js';
import { checkAlert } from './check-alert.js';
import { customWebhook } from './custom-webhook.js';
import type { IntakeFormat, Post, ReadAlert } from './format.js';
import { reservedSources } from './formats/index.js';
import { formatAlerts } from './take-post.js';

/** The answer of ingest to a post, and what it reads from the post. */
export interface WebhookTrial {
  webhook: string;
  playbook: string;
  proof: { holds: boolean; why: string | null };
  alerts: TriedAlert[];
}

export interface TriedAlert {
  /** Alert in the form of `POST /v1/alerts`; null: the post cannot be read. */
  alert: JsonObject | null;
  /** Reasons for which the alert would become a dead letter. Empty: it would open or join a case. */
  problems: FieldProblem[];
  /** Text that the kind of case reads from the alert; null: only a run can determine it. */
  text: string | null;
  /** The sender's key by which alerts join one case, and whether the sender reports the alert as resolved. */
  occurrence: { key: string; resolved: boolean } | null;
}

/**
 * Reads a post as ingest would, with the settings of this process. Nothing is accepted.
 * @param now in milliseconds since the epoch.
 * @throws CasefileError `not_found` that names the known webhooks; the error of a body that ingest answers
 * with 4xx.
 */
export async function tryWebhook(
  config: Config,
  name: string,
  { raw, headers }: Pick<Post, 'raw' | 'headers'>,
  now: number,
): Promise<WebhookTrial> {
  const webhook = config.webhooks.find((one) => one.name === name);
  if (webhook === undefined) {
    const webhookNames = config.webhooks.map((one) => one.name).join(', ') || '(none)';
    throw new CasefileError(
      'not_found',
      `The settings have no webhook "${name}"; they have: ${webhookNames}.`,
    );
  }
  const { intake } = config.settings;
  const format = customWebhook(webhook);
  checkBody(raw, intake, format.isBatch);
  const post = { body: bodyIn(raw), raw, headers };
  const alerts = formatAlerts(format, post, intake, true).map((read) => triedAlert(read, config, format));
  return {
    webhook: name,
    playbook: webhook.playbook,
    proof: configProof(config, format, name, post, now),
    alerts: await Promise.all(alerts),
  };
}

function bodyIn(raw: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new InvalidInput([{ path: '', message: `expected JSON in UTF-8: ${why}` }], 'body');
  }
}

function configProof(
  config: Config,
  { signature }: IntakeFormat,
  name: string,
  post: Post,
  now: number,
): WebhookTrial['proof'] {
  try {
    signature?.verify(post, config.webhookSecrets(name).get(name) ?? '', now);
    return { holds: true, why: null };
  } catch (thrown) {
    return { holds: false, why: asCasefileError(thrown).message };
  }
}

async function triedAlert(read: ReadAlert, config: Config, { name }: IntakeFormat): Promise<TriedAlert> {
  const nothing = { text: null, occurrence: null };
  if ('problems' in read) return { alert: null, problems: read.problems, ...nothing };
  const installation = describeInstallation(config);
  const settingsOf = (playbook: Playbook) => freezeSettings(playbook, installation);
  const limits = { bounds: config.settings.intake, reservedSources: reservedSources(config) };
  try {
    const { playbooks } = config;
    const { alert, playbook } = checkAlert(read.alert, { provenBy: name }, { playbooks, settingsOf }, limits);
    const repeats = playbook.intake.repeats(alert);
    const occurrence = repeats.by === 'occurrence' ? repeats.occurrence : null;
    return {
      alert: read.alert,
      problems: [],
      text: await alertText({ ...alert, id: '', receivedAt: '' }, playbook, settingsOf(playbook)),
      occurrence: occurrence && { key: occurrence.key, resolved: occurrence.resolved },
    };
  } catch (thrown) {
    if (!(thrown instanceof InvalidInput)) throw thrown;
    return { alert: read.alert, problems: thrown.problems, ...nothing };
  }
}

class NoPorts extends Error {}

/**
 * Returns the text of the brief if the alert alone determines it; null if triage needs tools, a model or an
 * image.
 */
async function alertText(alert: Alert, { triage }: Playbook, settings: RunSettings): Promise<string | null> {
  const availablePorts = { run: { settings } };
  const ports = new Proxy(availablePorts as unknown as StagePorts, {
    get: (all, name) => {
      if (Object.hasOwn(availablePorts, name)) return Reflect.get(all, name) as unknown;
      throw new NoPorts('a trial asks no tool and no model');
    },
  });
  try {
    const outcome = await triage(alert, ports);
    return outcome.kind === 'done' ? outcome.artifact.text : null;
  } catch (thrown) {
    if (thrown instanceof NoPorts) return null;
    throw thrown;
  }
}

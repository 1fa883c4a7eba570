import { InvalidInput, type AcceptedBatch, type JsonObject, type ReceivedAlert } from '@casefile/contracts';
import { intakeFormats } from '@casefile/pipeline';
import type { Platform } from '../compose/platform.js';
import type { SettingsFile } from '../config/settings-schema.js';
import { problemOf } from '../nest/problem-filter.js';
import { buryAlerts } from './bury-alert.js';
import { bodyDigest } from './fingerprint.js';
import { kindBySetting } from './choose-kind.js';
import { alertTurns } from './turns.js';
import type { IntakeFormat, Post, ReadAlert } from './format.js';

/** Alerts of one request that are accepted concurrently. Their writes share one commit. */
const AT_ONCE = 50;

/** Result for one of many alerts: its acceptance, or the error. */
export type IntakeResult<T = ReceivedAlert> = { accepted: T } | { thrown: unknown };

/**
 * Accepts alerts, a limited number concurrently. Those that start within 5 ms share a turn of the event loop; other
 * requests are served between two turns. A refused alert does not affect the others.
 * @param isOver Returns whether an error concerns the service and not the alert. The remaining alerts are
 * then not tried. Default: never.
 */
export async function takeMany<T = ReceivedAlert>(
  count: number,
  takeOne: (index: number) => Promise<T>,
  isOver: (thrown: unknown) => boolean = () => false,
): Promise<IntakeResult<T>[]> {
  const results: IntakeResult<T>[] = [];
  let next = 0;
  const row = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      await alertTurns.run(() => undefined);
      try {
        results[index] = { accepted: await takeOne(index) };
      } catch (thrown) {
        results[index] = { thrown };
        if (isOver(thrown)) next = count;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, row));
  return results;
}

/** Returns the results by index. */
export function takenBatch(results: readonly IntakeResult[]): AcceptedBatch {
  return {
    results: results.map((one, index) =>
      'accepted' in one ? { index, ...one.accepted } : { index, problem: problemOf(one.thrown).problem },
    ),
  };
}

/**
 * Accepts a post in a sender's own format. An invalid alert is stored as a dead letter, and so is a whole
 * post with a wrong envelope, because these senders drop a post that is answered 4xx and ignore the answer.
 * If the service cannot accept one alert now, it refuses the whole post, so that the sender repeats it.
 * Alerts accepted before then join their cases.
 * @param secret Secret of the format; undefined: none is set, and unsigned posts are accepted.
 * @throws CasefileError `bad_signature`, `overloaded` and every other error that is answered 5xx.
 */
export async function takePost(
  { intake, store, config, clock, log }: Pick<Platform, 'intake' | 'store' | 'config' | 'clock' | 'log'>,
  format: IntakeFormat,
  post: Post,
  secret: string | undefined,
): Promise<AcceptedBatch> {
  if (secret !== undefined) format.signature?.verify(post, secret, clock.now());
  const proof = secret === undefined ? {} : { provenBy: format.name };
  const kind = config.playbooks.find((one) => intakeFormats(one.intake).includes(format.name));
  const { playbookBy } = config.settings.intake;
  const alerts = formatAlerts(format, post, config.settings.intake, secret !== undefined).map((read) =>
    ofKind(read, format, kind?.name, playbookBy),
  );
  const results = await takeMany(
    alerts.length,
    async (index) => {
      const read = alerts[index] as ReadAlert;
      if ('problems' in read) throw new InvalidInput(read.problems, 'alert');
      const { alert, idempotencyKey, signedPart, chosenBy } = read;
      return intake.receive(alert, {
        ...proof,
        ...(post.sender === undefined ? {} : { sender: post.sender }),
        ...(chosenBy === undefined ? {} : { chosenBy }),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        ...(signedPart === undefined ? {} : { keyedPart: signedPart }),
      });
    },
    refusesPost,
  );
  const ours = results.find((one) => one !== undefined && 'thrown' in one && refusesPost(one.thrown));
  if (ours !== undefined && 'thrown' in ours) throw ours.thrown;
  const refused = results.flatMap((one, index) => {
    if (!('thrown' in one)) return [];
    const { reasonCode, detail } = problemOf(one.thrown).problem;
    const read = alerts[index] as ReadAlert;
    const payload = 'alert' in read ? read.alert : read.sent;
    const key = `${format.name}:${bodyDigest(read.signedPart ?? payload)}`;
    return [{ key, payload, reasonCode, message: detail, ...proof }];
  });
  await buryAlerts({ store, log }, refused);
  return {
    results: results.map((one, index) => {
      if ('thrown' in one) return { index, problem: problemOf(one.thrown).problem };
      return { index, ...one.accepted };
    }),
  };
}

/** Returns the alerts of a post. A post with a wrong envelope counts as one invalid alert. */
export function formatAlerts(
  format: IntakeFormat,
  post: Post,
  settings: SettingsFile['intake'],
  isSigned: boolean,
): ReadAlert[] {
  try {
    return format.read(post, settings, isSigned);
  } catch (thrown) {
    // Without a body there is nothing to store.
    if (!(thrown instanceof InvalidInput) || post.body === undefined) throw thrown;
    return [{ sent: post.body, problems: thrown.problems }];
  }
}

/**
 * Returns the alert with its kind. Default kind: the one that a setting names, otherwise the first that
 * accepts the format.
 */
function ofKind(
  read: ReadAlert,
  { name }: IntakeFormat,
  kind: string | undefined,
  settings: SettingsFile['intake']['playbookBy'],
): ReadAlert {
  if (!('alert' in read) || read.alert['playbook'] !== undefined) return read;
  const set = kindBySetting(read.alert, { settings });
  if (set !== null)
    return { ...read, alert: { playbook: set.playbook, ...read.alert }, chosenBy: set.chosenBy };
  const message = `expected a playbook, for none here takes alerts of ${name}`;
  if (kind === undefined) return { ...read, sent: read.alert, problems: [{ path: 'playbook', message }] };
  const alert: JsonObject = { playbook: kind, ...read.alert };
  const why = `Alerts in the format ${name} are of this kind if they name none.`;
  return { ...read, alert, chosenBy: { rule: 'entrance', why } };
}

// An alert that its sender may not send, or not today, is not kept as a dead letter, which an operator could
// redrive.
function refusesPost(thrown: unknown): boolean {
  const { status, reasonCode } = problemOf(thrown).problem;
  return status >= 500 || ['forbidden', 'budget_exhausted'].includes(reasonCode);
}

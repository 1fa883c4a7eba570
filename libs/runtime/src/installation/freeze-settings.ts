import {
  CasefileError,
  DEMONSTRATION,
  type AlertInput,
  type Installation,
  type RunSettings,
  type InstalledToolServer,
  canonicalJson,
  type JsonObject,
} from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import { wireName } from '@casefile/evidence';
import { createHash } from 'node:crypto';

/**
 * Deadline of a demonstration, in milliseconds. It is long, because each recorded answer must be shown even
 * on a slow or busy machine.
 */
const PLAYED_WITHIN_MS = 120_000;

/**
 * Returns the settings that a new run is frozen with: those of its kind in the installation, and those that
 * depend on its alert (tools that only some alerts may use, hand-written answers).
 * @param alert Default: the settings without those that depend on an alert.
 * @throws CasefileError `not_ready` (retryable) if the installation does not know this kind of case yet.
 */
export function freezeSettings(
  playbook: Pick<Playbook, 'name'>,
  installation: Installation,
  alert?: AlertInput,
): RunSettings {
  const settings = installation.playbooks[playbook.name];
  if (settings === undefined) throw unknownKind(playbook.name);
  const servers = serversForAlert(installation.toolServers, playbook.name, alert);
  const tools = [...settings.tools, ...servers.flatMap(({ name, allow }) => wireNames(name, allow))];
  const searches = servers.flatMap(({ name, searches: own }) => wireNames(name, own));
  const timeline = servers.flatMap(({ name, timeline: own }) => wireNames(name, own));
  const outside = {
    tools,
    ...(searches.length === 0 ? {} : { searches }),
    ...(timeline.length === 0 ? {} : { timeline }),
  };
  const { demonstration } = installation;
  if (alert === undefined || demonstration?.alerts.includes(alertDigest(alert)) !== true)
    return { ...settings, ...outside };
  const {
    fallbackProviders: _fallback,
    cheaperModel: _cheaper,
    lowModel: _low,
    examiner: _other,
    ...own
  } = settings;
  return {
    ...own,
    provider: DEMONSTRATION,
    model: demonstration.model,
    ...outside,
    options: 'deadlineMs' in own.options ? { ...own.options, deadlineMs: PLAYED_WITHIN_MS } : own.options,
  };
}

// During an upgrade, a new intake may run while the old reasoner has not published this kind yet.
function unknownKind(name: string): CasefileError {
  const message = `the service that asks models has not published the kind "${name}" yet: start or upgrade the reasoner`;
  return new CasefileError('not_ready', message, { retryable: true });
}

const wireNames = (server: string, tools: readonly string[]): string[] =>
  tools.map((tool) => wireName(server, tool));

/** Returns the MCP servers and data sources whose tools a case of this kind and alert may use. */
function serversForAlert(
  servers: readonly InstalledToolServer[],
  kind: string,
  alert: Pick<AlertInput, 'labels'> | undefined,
): InstalledToolServer[] {
  const labels = alert?.labels ?? {};
  return servers.filter(({ kinds, forAlerts }) => {
    const fits = Object.entries(forAlerts).every(([label, value]) => labels[label] === value);
    return kinds.includes(kind) && fits;
  });
}

/** Returns the SHA-256 (hexadecimal) of an alert's content: its playbook, text, image and payload. */
export function alertDigest({ playbook, text, image, payload }: Partial<AlertInput> | JsonObject): string {
  return createHash('sha256').update(canonicalJson({ playbook, text, image, payload })).digest('hex');
}

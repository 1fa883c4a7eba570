import { SEVERITY_RANK, type Severity } from '../transitions/grade.js';

/** Facts of an alert by which it is correlated with others. All names are in lower case. */
export interface AlertCorrelation {
  /** Group in which its sender sent it. null: none, or a group that says nothing about its cause. */
  group: string | null;
  /** Services that the alert names. */
  services: string[];
  /** Its services, and services one edge of the topology apart from them. */
  near: string[];
  /** Services that its services depend on. */
  dependsOn: string[];
  /** Whether the topology of the settings contains one of its services. */
  isMapped: boolean;
  /** Name of the alert rule. Members of a storm with the same name are one sort. */
  name: string;
  severity: Severity;
  /** Start that the sender reports, otherwise the arrival; milliseconds since the epoch. */
  beganAt: number;
  /** Maximum time between the starts of two alerts of one storm, in milliseconds. */
  windowMs: number;
}

/** A storm that an alert may join. Times in milliseconds since the epoch. */
export interface KnownStorm {
  /** Id of the case whose runs judge the storm. */
  id: string;
  playbook: string;
  group: string | null;
  near: string[];
  isMapped: boolean;
  /** Severity of the alert that is judged for all. */
  severity: Severity;
  firstAt: number;
  lastAt: number;
  /** Milliseconds since its newest alert arrived. */
  seenAgoMs: number;
  /** Whether the judged alert still fires, and no person answered its case. */
  isOpen: boolean;
}

/**
 * Time in milliseconds after which a member of a storm is judged separately if nothing decided about it before.
 */
export const STORM_HOLD_MS = 600_000;

/** A storm lasts at most this many windows. A later alert is judged separately, and begins another storm. */
const MOST_WINDOWS = 6;

/**
 * Returns the storm that an alert joins without a judgement of its own; null: none.
 * An alert joins if it is in the group of the storm or at most two edges of the topology apart from it, began within the
 * window, and is not more severe than the alert that is judged for all. If the topology contains services of both, and
 * they are further apart, the group does not count.
 */
export function stormFor(
  playbook: string,
  alert: AlertCorrelation,
  storms: Iterable<KnownStorm>,
): KnownStorm | null {
  let found: KnownStorm | null = null;
  for (const storm of storms) {
    if (storm.playbook !== playbook || !storm.isOpen || storm.seenAgoMs > alert.windowMs) continue;
    if (SEVERITY_RANK[alert.severity] > SEVERITY_RANK[storm.severity]) continue;
    if (!isWithin(alert, storm) || !isRelated(alert, storm)) continue;
    if (found === null || storm.seenAgoMs < found.seenAgoMs) found = storm;
  }
  return found;
}

function isWithin({ beganAt, windowMs }: AlertCorrelation, { firstAt, lastAt }: KnownStorm): boolean {
  if (beganAt < firstAt - windowMs || beganAt > lastAt + windowMs) return false;
  return Math.max(lastAt, beganAt) - Math.min(firstAt, beganAt) <= MOST_WINDOWS * windowMs;
}

// Two services are at most two edges apart if a service is at most one edge apart from both.
function isRelated(alert: AlertCorrelation, storm: KnownStorm): boolean {
  const isNear = alert.near.some((service) => storm.near.includes(service));
  if (isNear) return true;
  const isFar = alert.isMapped && storm.isMapped;
  return !isFar && alert.group !== null && alert.group === storm.group;
}

/** Returns the words by which storms are found that an alert may join. */
export function correlationKeys({ group, near }: Pick<AlertCorrelation, 'group' | 'near'>): string[] {
  return [...(group === null ? [] : [`group ${group}`]), ...near.map((service) => `service ${service}`)];
}

/** Reads the words that `correlationKeys` returned. */
export function keyedCorrelation(keys: readonly string[]): Pick<AlertCorrelation, 'group' | 'near'> {
  const of = (prefix: string) =>
    keys.flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
  return { group: of('group ')[0] ?? null, near: of('service ') };
}

/** Returns the storm after an alert joined it. */
export function joinedStorm(storm: KnownStorm, { beganAt }: Pick<AlertCorrelation, 'beganAt'>): KnownStorm {
  const { firstAt, lastAt } = storm;
  return {
    ...storm,
    firstAt: Math.min(firstAt, beganAt),
    lastAt: Math.max(lastAt, beganAt),
    seenAgoMs: 0,
  };
}

/** Returns the storm that an alert begins which is judged separately. */
export function begunStorm(id: string, playbook: string, alert: AlertCorrelation): KnownStorm {
  const { group, near, isMapped, severity, beganAt } = alert;
  const at = { firstAt: beganAt, lastAt: beganAt, seenAgoMs: 0 };
  return { id, playbook, group, near, isMapped, severity, ...at, isOpen: true };
}

import {
  cachedFor,
  conditionFamily,
  CONDITION_SEVERITIES,
  type Condition,
  type ProcessState,
  type Telemetry,
} from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import {
  ABSENT_AFTER_MS,
  running,
  type ConditionFacts,
  type ConditionRule,
  type FactSource,
  type WaitingUnits,
} from './condition-facts.js';
import { readFacts, type ConditionSources } from './read-facts.js';
import { queueEvicts, queueOut, storeOut } from './stores-out.js';
import { baseEmpty } from './base-empty.js';
import { destinationsFailing } from './destinations-failing.js';
import { destinationsPaused } from './destinations-paused.js';
import { modelSlow } from './model-slow.js';
import { qualityLow } from './quality-low.js';
import { replicaBehind } from './replica-behind.js';
import { schedulesFailing } from './schedules-failing.js';
import { silenceWithheld } from './silence-withheld.js';
import { servicesDiffer } from './services-differ.js';
import { bothArmsFail, copyStale, stepBacks } from './rollout.js';
import {
  budgetNearlyUsed,
  budgetUsed,
  deadLettersWait,
  diskLow,
  providerOut,
  providerUnpriced,
  queueOld,
  reviewsOverdue,
} from './work-conditions.js';

const serviceId = (service: string) => `service_absent.${service}`;

/** A service that no process runs. */
const serviceAbsent: ConditionRule = {
  ids: ({ services }) => services.map((service) => ({ id: serviceId(service), severity: 'error' as const })),
  reads: ['services'],
  settlesAfterMs: ABSENT_AFTER_MS,
  holding: (facts) => {
    if (facts.processes === null) return [];
    const present = new Set(running(facts.processes).flatMap(({ services }) => services));
    return facts.services.filter((name) => !present.has(name)).map((name) => serviceCondition(name, facts));
  },
};

function serviceCondition(service: string, { processes, waiting }: ConditionFacts): Condition {
  const last = processes?.find(({ services }) => services.includes(service));
  const units = waiting.get(service);
  const wait = units === undefined ? '' : `: ${inWords(units)} for it`;
  return {
    id: serviceId(service),
    severity: 'error',
    since: last?.stoppedAt ?? last?.seenAt ?? null,
    text: `No ${service} is running${wait}`,
    effect: EFFECTS[service] ?? 'Its work waits; nothing is lost.',
    act: `Start the service ${service}${howItEnded(last)}.`,
    link: '/operate#flow',
  };
}

const EFFECTS: Record<string, string> = {
  ingest: 'New alerts are not accepted; senders must send them again.',
  console: 'The console and its API are unavailable.',
  'evidence-collector': 'Cases wait for evidence; nothing is lost.',
  reasoner: 'Cases wait to be judged; nothing is lost.',
  'critic-writer': 'Cases wait for review and report; nothing is lost.',
  decision: 'Cases wait for their verdicts, and no verdict is sent; nothing is lost.',
};

function inWords({ count, isMore }: WaitingUnits): string {
  if (isMore) return `more than ${count} units wait`;
  return count === 1 ? '1 unit waits' : `${count} units wait`;
}

function howItEnded(last: ProcessState | undefined): string {
  if (last === undefined) return '; none has run on this record';
  if (last.stoppedAt !== null) return `; it was stopped in order on ${last.host}`;
  return `, and read its log: it was process ${last.pid} on ${last.host}`;
}

/** Maximum age of the list of conditions, in milliseconds. All clients share it. */
const FRESH_MS = 1_000;

/** Every rule that can report a problem. */
const RULES: readonly ConditionRule[] = [
  storeOut,
  queueOut,
  queueEvicts,
  replicaBehind,
  serviceAbsent,
  servicesDiffer,
  baseEmpty,
  destinationsPaused,
  destinationsFailing,
  schedulesFailing,
  stepBacks,
  bothArmsFail,
  copyStale,
  queueOld,
  deadLettersWait,
  providerOut,
  modelSlow,
  budgetUsed,
  budgetNearlyUsed,
  providerUnpriced,
  diskLow,
  reviewsOverdue,
  silenceWithheld,
  qualityLow,
];

/** The open conditions, and those of which nobody knows whether they are open. */
export interface OpenConditions {
  /** Errors first. Those whose sources cannot be read now are as they were last read, with the field `asOf`. */
  conditions: Condition[];
  /** Ids without the name at their end, such as `service_absent`, whose sources could not be read. */
  unknown: ReadonlySet<string>;
}

/** Returns a reader of the open conditions. It reads at most once a second, and never throws. */
export function openConditions(
  sources: ConditionSources,
  rules: readonly ConditionRule[] = RULES,
): () => Promise<OpenConditions> {
  const startedAt = sources.clock.now();
  let seenAt = new Map<string, string>();
  let unread = '';
  const lastRead = new Map<ConditionRule, { open: Condition[]; at: string }>();
  let failedBefore: ReadonlySet<FactSource> = new Set();
  return cachedFor(FRESH_MS, async () => {
    const facts = await readFacts(sources, startedAt, failedBefore);
    const { failedSources, storeOutage } = facts;
    failedBefore = new Set(failedSources.map(({ name }) => name));
    const names = storeOutage === null ? failedSources.map(({ name }) => name).join(', ') : '';
    if (names !== '' && names !== unread)
      sources.log.warn({ names, failedSources }, 'sources of conditions could not be read');
    unread = names;
    const results = rules.map((rule) => ({ rule, open: holding(rule, facts, sources.log) }));
    const open = results.flatMap((one) => one.open ?? earlier(lastRead.get(one.rule)));
    const unknown = new Set(results.flatMap((one) => (one.open === null ? families(one.rule) : [])));
    // Some causes are recorded without a time. Their condition begins when this process first saw it.
    const now = new Date(facts.now).toISOString();
    seenAt = new Map(open.map(({ id }) => [id, seenAt.get(id) ?? now]));
    const withSince = (one: Condition) => ({ ...one, since: one.since ?? seenAt.get(one.id) ?? null });
    for (const { rule, open: read } of results)
      if (read !== null) lastRead.set(rule, { open: read.map(withSince), at: now });
    const conditions = open.map(withSince);
    return { conditions: conditions.sort(worstFirst), unknown };
  });
}

/** Returns the conditions of an earlier reading, with its time. */
function earlier(reading: { open: Condition[]; at: string } | undefined): Condition[] {
  return (reading?.open ?? []).map((one) => ({ ...one, asOf: reading?.at }));
}

/** Returns what a rule reports; null: it does not know, or it failed. A rule that fails stops no other rule. */
function holding(
  rule: ConditionRule,
  facts: ConditionFacts,
  log: ConditionSources['log'],
): Condition[] | null {
  if (facts.upForMs < (rule.settlesAfterMs ?? 0)) return null;
  const isMissing = (name: FactSource) =>
    name === 'queue depths'
      ? facts.queueOutage !== null
      : facts.failedSources.some((one) => one.name === name);
  if (rule.reads.some(isMissing)) return null;
  try {
    return rule.holding(facts);
  } catch (error) {
    log.warn({ error, conditions: families(rule) }, 'a rule of conditions failed');
    return null;
  }
}

// Ids that end in a name are listed for the names that exist, so one of each is given.
function families({ ids }: ConditionRule): string[] {
  const any = ['any'];
  const names = { services: any, destinations: [{ name: 'any' }], kinds: any, providers: any, budgets: any };
  return [...new Set(ids(names).map(({ id }) => conditionFamily(id)))];
}

type NamedParts = 'services' | 'kinds' | 'providers' | 'budgets';

/** Returns every id without the name at its end, in the order of the rules. */
export function conditionFamilies(): string[] {
  return RULES.flatMap(families);
}

/**
 * Reports each condition as a gauge: 1 while it holds, else 0. A condition about something that is not in the
 * configuration, such as a destination that was added by API, has a value only while it holds.
 */
export function measureConditions(
  { destinations, ...names }: Pick<ConditionSources, 'destinations' | NamedParts>,
  holding: () => Promise<Condition[]>,
  telemetry: Pick<Telemetry, 'gauge'>,
): void {
  const namedDestinations = destinations.map((name) => ({ name }));
  const knownConditions = RULES.flatMap((rule) => rule.ids({ ...names, destinations: namedDestinations }));
  telemetry.gauge(METRICS.condition, async () => {
    const open = await holding();
    const isOpen = (id: string) => open.some((condition) => condition.id === id);
    const others = open.filter(({ id }) => !knownConditions.some((one) => one.id === id));
    return [...knownConditions, ...others].map(({ id, severity }) => ({
      value: Number(isOpen(id)),
      labels: { id, severity },
    }));
  });
}

function worstFirst(a: Condition, b: Condition): number {
  const rank = ({ severity }: Condition) => CONDITION_SEVERITIES.indexOf(severity);
  const isOld = ({ asOf }: Condition) => Number(asOf !== undefined);
  return (
    rank(a) - rank(b) ||
    isOld(a) - isOld(b) ||
    (a.since ?? '').localeCompare(b.since ?? '') ||
    a.id.localeCompare(b.id)
  );
}

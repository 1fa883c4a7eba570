import {
  cachedFor,
  CONDITION_SEVERITIES,
  type CaseReader,
  type Clock,
  type Condition,
  type Processes,
  type Telemetry,
} from '@casefile/contracts';
import { METRICS } from '@casefile/runtime';
import type { ConditionFacts, ConditionRule, WaitingUnits } from './condition-facts.js';
import { serviceAbsent } from './service-absent.js';
import { servicesDiffer } from './services-differ.js';

/** How old a list may be, in milliseconds, for all clients together. */
const FRESH_MS = 1_000;
/** Waiting units that are counted at most, over all stages: more need no exact figure. */
const MOST_COUNTED = 1_000;

/** Everything that can be reported as wrong. */
const RULES: readonly ConditionRule[] = [serviceAbsent, servicesDiffer];

export interface ConditionSources {
  store: { processes: Pick<Processes, 'list'>; record: Pick<CaseReader, 'dueUnits'> };
  clock: Clock;
  /** In the order of the flow. */
  stages: readonly { name: string; app: string }[];
  /** Every service that an installation needs. */
  services: readonly string[];
}

/** Returns what is wrong now, errors first, at most a second old. */
export function openConditions(sources: ConditionSources): () => Promise<Condition[]> {
  const startedAt = sources.clock.now();
  return cachedFor(FRESH_MS, async () => {
    const facts = await factsOf(sources, startedAt);
    return RULES.flatMap((rule) => rule.holding(facts)).sort(worstFirst);
  });
}

/** Reports each condition as a gauge: 1 while it holds, else 0. */
export function measureConditions(
  { services }: Pick<ConditionSources, 'services'>,
  holding: () => Promise<Condition[]>,
  telemetry: Pick<Telemetry, 'gauge'>,
): void {
  for (const { id, severity } of RULES.flatMap((rule) => rule.ids({ services })))
    telemetry.gauge(
      METRICS.condition,
      async () => Number((await holding()).some((condition) => condition.id === id)),
      { id, severity },
    );
}

async function factsOf(
  { store, clock, stages, services }: ConditionSources,
  startedAt: number,
): Promise<ConditionFacts> {
  const processes = await store.processes.list();
  const now = clock.now();
  const due = await store.record.dueUnits(MOST_COUNTED);
  const isMore = due.reduce((total, { n }) => total + n, 0) >= MOST_COUNTED;
  const waiting = new Map<string, WaitingUnits>();
  for (const { stage, n } of due) {
    const app = stages.find(({ name }) => name === stage)?.app;
    if (app === undefined) continue;
    waiting.set(app, { count: (waiting.get(app)?.count ?? 0) + n, isMore });
  }
  return { now, upForMs: now - startedAt, processes, services, waiting };
}

function worstFirst(a: Condition, b: Condition): number {
  const rank = ({ severity }: Condition) => CONDITION_SEVERITIES.indexOf(severity);
  return rank(a) - rank(b) || (a.since ?? '').localeCompare(b.since ?? '') || a.id.localeCompare(b.id);
}

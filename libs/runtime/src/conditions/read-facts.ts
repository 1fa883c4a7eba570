import {
  withTimeout,
  type CaseReader,
  type Clock,
  type DestinationState,
  type Destinations,
  type Flags,
  type Logger,
  type Processes,
  type ReadReplica,
  type ShownSchedule,
  type Silences,
} from '@casefile/contracts';
import type { EmptyBase } from '@casefile/knowledge';
import type {
  ConditionFacts,
  FactSource,
  FailedSource,
  KindQuality,
  WaitingUnits,
  WorkFacts,
} from './condition-facts.js';
import type { StoreWatches } from './store-watches.js';

/**
 * Time limit of each source, in milliseconds. A client waits at most 5 s for all of them. It is longer than that
 * of the queue store, which one source reads too: an outage of the queue store must not look like one of the record.
 */
const READ_WITHIN_MS = 4_000;
/** Maximum number of waiting units to count over all stages: beyond this number no exact count is needed. */
const MOST_COUNTED = 1_000;

/** Readers of the facts about the work. Each is read on its own. */
export type WorkSources = { [K in keyof WorkFacts]: () => Promise<WorkFacts[K]> };

export interface ConditionSources {
  store: {
    processes: Pick<Processes, 'list'>;
    record: Pick<CaseReader, 'dueUnits'>;
    destinations: Pick<Destinations, 'added' | 'states'>;
    flags: Pick<Flags, 'watched'>;
    silences: Pick<Silences, 'list'>;
  };
  /** Default: no store is watched. */
  watches?: StoreWatches;
  /** See `CaseStore`. Default: no replica is set. */
  replica?: ReadReplica | undefined;
  /** See `Queue`. Default: the queue store deletes nothing. */
  evictionPolicy?(): string | null;
  knowledge: { emptyBases(): Promise<EmptyBase[]> };
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  /** In the order of the flow. */
  stages: readonly { name: string; app: string }[];
  /** Every service that an installation needs. */
  services: readonly string[];
  /** Names of the destinations of the configuration. */
  destinations: readonly string[];
  /** Reads the schedules with their states. Default: there are none. */
  schedules?(): Promise<ShownSchedule[]>;
  /** Read facts about the work. Default: they are not read. */
  work?: WorkSources;
  /** Names of the kinds of case. */
  kinds: readonly string[];
  /** Names of the configured providers of models. */
  providers: readonly string[];
  /** Configured budgets of all work, such as `day.usd` for the setting `budgets.day.usd`. */
  budgets: readonly string[];
  /** Counts the labelled verdicts per kind. Default: they are not read. */
  quality?(): Promise<KindQuality[]>;
}

/**
 * Reads the facts of all conditions. Each source has its own time limit, and a source that fails has no facts, so
 * that the conditions of the others are known. Never throws.
 * @param failedBefore Sources that failed at the previous reading. Default: none.
 */
export async function readFacts(
  sources: ConditionSources,
  startedAt: number,
  failedBefore: ReadonlySet<FactSource> = new Set(),
): Promise<ConditionFacts> {
  const { store, knowledge, clock, services, watches, work } = sources;
  const failedSources: FailedSource[] = [];
  async function read<T, D>(name: FactSource, source: (() => Promise<T>) | undefined, otherwise: D) {
    if (source === undefined) return otherwise;
    try {
      return await withTimeout(READ_WITHIN_MS, new AbortController().signal, () => source());
    } catch (error) {
      failedSources.push({ name, error, isRepeated: failedBefore.has(name) });
      return otherwise;
    }
  }
  const none: [] = [];
  const [
    outages,
    replica,
    processes,
    waiting,
    bases,
    destinations,
    silences,
    experiments,
    schedules,
    quality,
    workFacts,
  ] = await Promise.all([
    Promise.all([watches?.store.check() ?? null, watches?.queue.check() ?? null]),
    sources.replica?.state() ?? null,
    read('services', () => store.processes.list(), null),
    read('waiting work', () => waitingUnits(sources), new Map<string, WaitingUnits>()),
    read('knowledge', () => knowledge.emptyBases(), none),
    read('destinations', () => destinationStates(sources), none),
    read('silences', () => store.silences.list('active', clock.now()), none),
    read('experiments', () => store.flags.watched(), none),
    read('schedules', sources.schedules, none),
    read('quality', sources.quality, none),
    Promise.all([
      read('pipeline', work?.pipeline, null),
      read('dead letters', work?.letters, none),
      read('prices', work?.unpriced, none),
      read('disk', work?.disk, null),
      read('reviews', work?.reviews, none),
      read('model calls', work?.calls, none),
    ]),
  ]);
  const [storeOutage, queueOutage] = outages;
  const [pipeline, letters, unpriced, disk, reviews, calls] = workFacts;
  const now = clock.now();
  return {
    now,
    upForMs: now - startedAt,
    storeOutage,
    queueOutage,
    evictionPolicy: sources.evictionPolicy?.() ?? null,
    replica,
    failedSources,
    processes,
    services,
    waiting,
    emptyBases: bases,
    destinations,
    silences,
    schedules,
    experiments,
    work: work === undefined ? null : { pipeline, letters, unpriced, disk, reviews, calls },
    quality,
  };
}

/** Returns the waiting units per service that works on them. */
async function waitingUnits({ store, stages }: ConditionSources): Promise<Map<string, WaitingUnits>> {
  const due = await store.record.dueUnits(MOST_COUNTED);
  const isMore = due.reduce((total, { n }) => total + n, 0) >= MOST_COUNTED;
  const waiting = new Map<string, WaitingUnits>();
  for (const { stage, n } of due) {
    const app = stages.find(({ name }) => name === stage)?.app;
    if (app === undefined) continue;
    waiting.set(app, { count: (waiting.get(app)?.count ?? 0) + n, isMore });
  }
  return waiting;
}

async function destinationStates({ store, destinations }: ConditionSources): Promise<DestinationState[]> {
  const added = await store.destinations.added();
  const all = [...new Set([...destinations, ...added.map(({ name }) => name)])];
  return all.length === 0 ? [] : store.destinations.states(all);
}

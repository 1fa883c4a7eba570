import type {
  ReplicaState,
  CallTimes,
  Condition,
  DeadLetterCount,
  DestinationState,
  PeriodLabels,
  PipelineView,
  ProcessState,
  ShownSchedule,
  ShownSilence,
  WaitingReviews,
  WatchedExperiment,
} from '@casefile/contracts';
import type { EmptyBase } from '@casefile/knowledge';
import { REPORT_MS } from '../installation/heartbeat.js';
import type { Outage } from './store-watch.js';

/** A process that has not reported for this long counts as absent, in milliseconds: it missed two reports. */
export const ABSENT_AFTER_MS = 3 * REPORT_MS;

/** Facts about the work of the pipeline. A source that failed has none. */
export interface WorkFacts {
  /** null: it could not be read. */
  pipeline: Pick<PipelineView, 'stages' | 'tools' | 'providers' | 'budgets' | 'deadLetters' | 'at'> | null;
  /** Dead letters by reason, highest count first. Read only if there are any. */
  letters: readonly DeadLetterCount[];
  /** Providers of the last day that bill, with calls that have no known price. */
  unpriced: readonly { provider: string; calls: number }[];
  /** Disk of the embedded database; null: the database is not embedded. */
  disk: { path: string; freeBytes: number } | null;
  /** Verdicts that wait for a person. */
  reviews: readonly WaitingReviews[];
  /** Times of the newest model calls per kind, under the deadline in force. */
  calls: readonly CallTimes[];
}

/** Facts from which conditions are derived. */
export interface ConditionFacts {
  /** Milliseconds since the Unix epoch, by the console's clock. */
  now: number;
  /** Time the console has run, in milliseconds. While a system starts, nothing counts as missing yet. */
  upForMs: number;
  /** null: the database can be used. */
  storeOutage: Outage | null;
  /** null: the queue store can be used. */
  queueOutage: Outage | null;
  /** Policy by which the queue store deletes keys when its memory is full; null: it deletes none. */
  evictionPolicy: string | null;
  /** State of the replica of DATABASE_READ_URL; null: none is set. */
  replica: ReplicaState | null;
  /** Sources that could not be read in time. Each has no facts below. */
  failedSources: readonly FailedSource[];
  /** Processes of the last week, most recently reported first. null: they could not be read. */
  processes: readonly ProcessState[] | null;
  /** Every service that an installation needs. */
  services: readonly string[];
  /** Knowledge bases that are empty although every installation begins with them. */
  emptyBases: readonly EmptyBase[];
  /** Destinations of the configuration. */
  destinations: readonly DestinationState[];
  /** Schedules and feeds of the configuration. */
  schedules: readonly ShownSchedule[];
  /** Silences in force. */
  silences: readonly ShownSilence[];
  /** Experiments whose arms are watched, and those that stepped back. */
  experiments: readonly WatchedExperiment[];
  /** Waiting units per service that works on them. */
  waiting: ReadonlyMap<string, WaitingUnits>;
  /** null: not read. */
  work: WorkFacts | null;
  /** Labelled verdicts per kind. */
  quality: readonly KindQuality[];
}

/** Sources of facts. Each is read on its own and may fail on its own. */
export type FactSource =
  | 'services'
  | 'waiting work'
  | 'queue depths'
  | 'knowledge'
  | 'destinations'
  | 'silences'
  | 'experiments'
  | 'schedules'
  | 'quality'
  | 'pipeline'
  | 'dead letters'
  | 'prices'
  | 'disk'
  | 'reviews'
  | 'model calls';

/** A source of facts that failed. */
export interface FailedSource {
  name: FactSource;
  error: unknown;
  /** Whether the previous reading failed too. One late answer is no outage. */
  isRepeated: boolean;
}

/** Labelled verdicts of one kind now and before. */
export interface KindQuality extends PeriodLabels {
  /** Name of the prompt that can be evolved. null: there is none. */
  prompt: string | null;
}

export interface WaitingUnits {
  count: number;
  /** true: more units wait than were counted. */
  isMore: boolean;
}

/** Derives conditions with a few fixed ids from the facts. */
export interface ConditionRule {
  /**
   * Every id that the rule may report, with its severity. Metrics also report conditions that do not hold.
   */
  ids(facts: {
    services: readonly string[];
    destinations: readonly { name: string }[];
    kinds: readonly string[];
    providers: readonly string[];
    budgets: readonly string[];
  }): readonly Pick<Condition, 'id' | 'severity'>[];
  /** Sources without which the rule does not know whether its conditions hold. */
  reads: readonly FactSource[];
  /** Time after the start of the process until which the rule reports nothing, in milliseconds. Default: 0. */
  settlesAfterMs?: number;
  holding(facts: ConditionFacts): Condition[];
}

/** Returns the processes that run now; none if they could not be read. */
export function running(processes: readonly ProcessState[] | null): ProcessState[] {
  return (processes ?? []).filter(
    ({ stoppedAt, silentMs }) => stoppedAt === null && silentMs < ABSENT_AFTER_MS,
  );
}

/** Returns the service names of these processes in words: "ingest and console". */
export function serviceNames(processes: readonly ProcessState[]): string {
  const names = [...new Set(processes.flatMap(({ services }) => services))].sort();
  const last = names.pop() ?? 'no service';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

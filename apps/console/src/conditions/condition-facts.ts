import type { Condition, ProcessState } from '@casefile/contracts';
import type { EmptyBase } from '@casefile/runtime';

/** A process that has not reported for so long is absent: three heartbeats and a little. In milliseconds. */
export const ABSENT_AFTER_MS = 10_000;

/** What conditions are derived from. */
export interface ConditionFacts {
  /** Milliseconds since the epoch, by the clock of the console. */
  now: number;
  /** How long the console has run, in milliseconds: a system that starts is not missing anything yet. */
  upForMs: number;
  /** Processes of the last week, the one that reported last first. */
  processes: readonly ProcessState[];
  /** Every service that an installation needs. */
  services: readonly string[];
  /** Knowledge bases that are empty although every installation begins with them. */
  emptyBases: readonly EmptyBase[];
  /** Units that wait, by the service that works on them. */
  waiting: ReadonlyMap<string, WaitingUnits>;
}

export interface WaitingUnits {
  count: number;
  /** true: there are more, which were not counted. */
  isMore: boolean;
}

/** Derives conditions of a few ids from the facts. */
export interface ConditionRule {
  /** Every id that the rule may report, with its severity: metrics report those that do not hold too. */
  ids(facts: Pick<ConditionFacts, 'services'>): readonly Pick<Condition, 'id' | 'severity'>[];
  holding(facts: ConditionFacts): Condition[];
}

/** Returns the processes that run now. */
export function running(processes: readonly ProcessState[]): ProcessState[] {
  return processes.filter(({ stoppedAt, silentMs }) => stoppedAt === null && silentMs < ABSENT_AFTER_MS);
}

/** Returns the service names of these processes in words: "ingest and console". */
export function serviceNames(processes: readonly ProcessState[]): string {
  const names = [...new Set(processes.flatMap(({ services }) => services))].sort();
  const last = names.pop() ?? 'no service';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

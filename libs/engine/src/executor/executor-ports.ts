import type { CaseStore, ClaimedWork, Verdict } from '@casefile/contracts';
import type { WorldPorts } from '../calls/live-world.js';
import type { Outbox } from '../delivery/outbox.js';
import type { Nudger } from './nudger.js';

/** Ports of the executor. */
export interface ExecutorPorts extends WorldPorts {
  store: CaseStore;
  nudger: Pick<Nudger, 'nudge'>;
  /** Sends verdicts. The sweeper sends those that cannot be sent now. */
  outbox: Pick<Outbox, 'deliver'>;
  /**
   * Returns the verdict that a run takes from another case, or the time in milliseconds after which this is asked again;
   * null: the run judges its alert. It is asked before the first stage of a run that is a member of a storm.
   */
  takenVerdict(work: ClaimedWork): Promise<Verdict | { waitMs: number } | null>;
  /** Folder for the rounds of decided cases; null: they are only on the record. */
  iterations: string | null;
}

/** Limits of a configuration that are the same for every stage. Times in milliseconds. */
export interface ExecutorLimits {
  leaseMs: number;
  maxCrashes: number;
  crashWindowMs: number;
  /** Longest time without a worker by which the deadline of a step is extended. */
  deadlinePauseMs: number;
  /** Whether a worker may continue with the next stage if it belongs to another service of this process. */
  handOnDirectly: boolean;
}

import type { CaseStore } from '@casefile/contracts';
import type { WorldPorts } from '../calls/live-world.js';
import type { Outbox } from '../delivery/outbox.js';
import type { Nudger } from './nudger.js';

/** Ports of the executor. */
export interface ExecutorPorts extends WorldPorts {
  store: CaseStore;
  nudger: Pick<Nudger, 'nudge'>;
  /** Sends verdicts. The sweeper sends those that cannot be sent now. */
  outbox: Pick<Outbox, 'deliver'>;
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

import type { CaseStore, Nudge, VerdictMessage } from '@casefile/contracts';
import type { WorldPorts } from '../calls/live-world.js';

/** Ports of the executor. */
export interface ExecutorPorts extends WorldPorts {
  store: CaseStore;
  /** Sends wake-ups. Does not throw. */
  nudge(nudges: Nudge[]): Promise<void>;
  /** Sends a verdict. If it cannot be sent now, the sweeper sends it. */
  deliver(message: VerdictMessage): Promise<void>;
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

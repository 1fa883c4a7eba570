import type { ExecutorLimits, ExecutorPorts } from '../executor-ports.js';

/** Limits of an executor whose tests are about something else. */
export const someLimits: ExecutorLimits = {
  leaseMs: 6_000,
  maxCrashes: 3,
  crashWindowMs: 3_600_000,
  deadlinePauseMs: 0,
  handOnDirectly: false,
};

/** A shelf of prompts that keeps none. */
export const emptyShelf: ExecutorPorts['shelf'] = {
  setId: 'none',
  keep: async () => undefined,
  of: async () => null,
};

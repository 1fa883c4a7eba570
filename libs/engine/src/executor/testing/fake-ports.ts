import type { PromptTexts } from '@casefile/pipeline';
import type { ExecutorLimits, ExecutorPorts } from '../executor-ports.js';

/** Limits for tests that are not about limits. */
export const someLimits: ExecutorLimits = {
  leaseMs: 6_000,
  maxCrashes: 3,
  crashWindowMs: 3_600_000,
  deadlinePauseMs: 0,
  handOnDirectly: false,
};

const noTexts: PromptTexts = {
  of: ({ id }) => {
    throw new Error(`no text of ${id} in this test`);
  },
};

/** A store of prompts that stores nothing. */
export const noStoredPrompts: ExecutorPorts['storedPrompts'] = {
  ofRun: async () => ({ texts: noTexts, setId: 'none', keep: async () => undefined }),
  of: async () => null,
};

import { CasefileError } from '@casefile/contracts';
import type { ConsolePorts } from '../console-ports.js';

/** A record without prompt versions, which takes none. */
export const noPromptVersions: ConsolePorts['store']['promptVersions'] = {
  list: async () => [],
  get: async () => null,
  history: async () => [],
  add: async () => {
    throw new CasefileError('conflict', 'this console keeps no versions');
  },
  move: async () => {
    throw new CasefileError('conflict', 'this console keeps no versions');
  },
};

/** A record without flags. */
export const noFlags: ConsolePorts['store']['flags'] = {
  list: async () => [],
  set: async () => {
    throw new CasefileError('conflict', 'this console keeps no flags');
  },
  reset: async () => null,
};

/** A record without experiments, which takes none. */
export const noExperiments: ConsolePorts['store']['experiments'] = {
  list: async () => [],
  get: async () => null,
  history: async () => [],
  runs: async () => ({ runs: [], costUsd: 0, unopened: [], sameShareSince: null }),
  create: async () => {
    throw new CasefileError('conflict', 'this console keeps no experiments');
  },
  start: async () => null,
  share: async () => null,
  stop: async () => null,
  promote: async () => null,
};

/** A record without batches, which takes none. */
export const noBatches: ConsolePorts['store']['batches'] = {
  list: async () => [],
  get: async () => null,
  members: async () => ({ members: [], total: 0 }),
  act: async () => null,
  degradedSince: async () => 0,
};

/** A record without deliveries to destinations. */
export const noDestinations: ConsolePorts['store']['destinations'] = {
  states: async () => [],
  add: async () => undefined,
  pause: async () => undefined,
  resume: async () => undefined,
  resend: async () => false,
  resendSince: async () => 0,
  list: async () => ({ deliveries: [], nextCursor: null }),
};

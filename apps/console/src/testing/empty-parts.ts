import { CasefileError } from '@casefile/contracts';
import type { ConsolePorts } from '../console-ports.js';

/** A record without prompt versions, to which none can be added. */
const noPromptVersions: ConsolePorts['store']['promptVersions'] = {
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
const noFlags: ConsolePorts['store']['flags'] = {
  list: async () => [],
  set: async () => {
    throw new CasefileError('conflict', 'this console keeps no flags');
  },
  reset: async () => null,
};

/** A record without experiments, to which none can be added. */
const noExperiments: ConsolePorts['store']['experiments'] = {
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

const noEvolutions: ConsolePorts['store']['evolutions'] = {
  list: async () => [],
  get: async () => null,
  create: async () => {
    throw new CasefileError('conflict', 'this console keeps no evolutions');
  },
  act: async () => null,
  labelled: async () => [],
};

/** A record without prompt versions, flags, experiments and evolutions, to which none can be added. */
export const noRollout = {
  promptVersions: noPromptVersions,
  flags: noFlags,
  experiments: noExperiments,
  evolutions: noEvolutions,
};

/** A record without batches, to which none can be added. */
export const noBatches: ConsolePorts['store']['batches'] = {
  list: async () => [],
  get: async () => null,
  members: async () => ({ members: [], total: 0 }),
  preview: async () => [],
  act: async () => null,
  degradedSince: async () => 0,
};

/** A record without deliveries to destinations. */
export const noDestinations: ConsolePorts['store']['destinations'] = {
  added: async () => [],
  put: async () => null,
  remove: async () => false,
  states: async () => [],
  add: async () => undefined,
  pause: async () => undefined,
  resume: async () => undefined,
  resend: async () => false,
  resendSince: async () => 0,
  acknowledge: async () => [],
  labels: async () => ({}),
  list: async () => ({ deliveries: [], nextCursor: null }),
};

/** A record without data sources, to which none can be added. */
export const noDataSources: ConsolePorts['store']['dataSources'] = {
  list: async () => [],
  add: () => Promise.reject(new Error('no data source can be added here')),
  remove: async () => false,
  requestTest: async () => null,
};

/** A record without silences. */
export const noSilences: ConsolePorts['store']['silences'] = {
  create: async () => undefined,
  end: async () => false,
  get: async () => null,
  list: async () => [],
};

/** A record without feedback. */
export const noFeedback: ConsolePorts['store']['feedback'] = {
  give: async () => undefined,
  caseOf: async () => null,
  changes: async () => ({ read: 0, place: null, caseIds: [] }),
  readChanges: async () => undefined,
  withdraw: async () => null,
  find: async () => ({ feedback: [], nextCursor: null }),
};

export const twoPatterns: Pick<ConsolePorts, 'lessons' | 'patternState'> = {
  lessons: { proposals: async () => ({ proposals: [], nextCursor: null }), decide: async () => null },
  patternState: async () => ({ revision: 3, patterns: 2 }),
};

/** A record on which nothing waits for a person. */
export const noReviews: ConsolePorts['store']['reviews'] = {
  act: async () => ({ repeated: false }),
  list: async () => ({ reviews: [], nextCursor: null, searchableTo: null }),
  waiting: async () => [],
  get: async () => null,
  view: async () => undefined,
};

/** A record on which the calls of one provider failed. */
export const oneFailedProvider: ConsolePorts['store']['providers'] = {
  states: async () => [],
  tryNow: async (provider) => {
    if (provider !== 'openai') return null;
    const changedAt = '2026-01-05T10:00:00.000Z';
    return { provider, state: 'open', probeInMs: 0, reason: 'server_error', failures: 9, changedAt };
  },
};

/** No verdicts were decided. */
export const noQualityFigures: ConsolePorts['store']['qualityFigures'] = {
  counts: async () => [],
  series: async () => [],
  forecasts: async () => [],
  labels: async () => [],
  missing: async () => [],
  examiners: async () => [],
  labelFacts: async () => [],
};

/** A record without recalibrations, to which none can be added. */
export const noRecalibrations: ConsolePorts['store']['recalibrations'] = {
  list: async () => [],
  add: async () => {
    throw new CasefileError('conflict', 'this console keeps no recalibrations');
  },
};

/** No run waits for a budget. */
export const noBudgets: ConsolePorts['store']['budgets'] = {
  raise: async () => {
    throw new CasefileError('conflict', 'no run of the case waits for a budget');
  },
};

/** No run asks for a signal. */
export const noSignals: ConsolePorts['store']['signals'] = {
  give: async () => {
    throw new CasefileError('not_found', 'no run of the case asks for it');
  },
  open: async () => [],
};

/** A record in which nothing was erased. */
export const noErasures: ConsolePorts['store']['erasures'] = {
  casesWith: async () => [],
  preview: async () => ({
    cases: 0,
    blocked: [],
    blockedCases: 0,
    places: [],
    deadLetters: 0,
    prompts: [],
  }),
  request: async () => undefined,
  get: async () => null,
  list: async () => [],
  erasedCases: async () => ({ erased: [], nextCursor: null }),
};

/** An audit log without entries. */
export const noAudit: ConsolePorts['store']['audit'] = {
  list: async () => [],
  check: async () => ({ count: 0, hash: '0'.repeat(64), problems: 0, findings: [] }),
};

/** A record without sign-in sessions. */
export const noSessions: ConsolePorts['store']['sessions'] = {
  list: async () => [],
  revoke: async () => null,
};

/** No access keys, and none can be created. */
export const noKeys: ConsolePorts['store']['keys'] = {
  any: async () => false,
  list: async () => [],
  create: async () => {
    throw new Error('there are no keys here');
  },
  rotate: async () => null,
  revoke: async () => null,
};

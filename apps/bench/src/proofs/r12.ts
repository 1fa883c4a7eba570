import { configuredWorld } from '@casefile/e2e/testing/configured-world';
import { STORM } from '@casefile/llm-simulator/script';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import { alertNumber } from './parts/system.js';
import type { Proof } from './proof.js';

/** Calls per case, compared with one call per case. */
const MOST_CALLS = 1.6;

export const r12: Proof = {
  id: 'R12',
  promise: 'Failures of a provider neither stop cases nor multiply calls.',
  mechanism:
    'Retries with a budget and a deadline, fallbacks, and circuits. An exhausted quota is never retried.',
  figure: '100 % of 200 cases end; calls <= 1.6 x ideal; quota codes retried 0 times',
  limitMinutes: 10,
  mutation: {
    what: 'every failure is retried, and opens no circuit',
    replacements: [
      {
        file: 'libs/engine/src/calls/attempt-policy.ts',
        find: 'if (retry !== true || attempts >= most)',
        replace: 'if (attempts >= 8)',
      },
      {
        file: 'libs/engine/src/calls/retry-budget.ts',
        find: 'if (account.left < 1) return false;',
        replace: '',
      },
      {
        file: 'libs/engine/src/calls/attempt-policy.ts',
        find: 'return reasonOf(reasonCode).account === true;',
        replace: 'return false;',
      },
    ],
  },
  run: async ({ seed, short }) => {
    const cases = short ? 40 : 200;
    const percent = { ...STORM, quota: 1 };
    const simulator = await startSimulator({ script: { faults: { seed, percent, retryAfterS: 0 } } });
    const world = await configuredWorld(
      `playbooks: { scam-verdict: { deadlineMs: 3000 } }
calls: { firstWaitMs: 50, circuit: { pauseSeconds: 0.2 } }`,
      { LLM_PROVIDER: 'simulator', LLM_BASE_URL: simulator.baseUrl, LOG_LEVEL: 'fatal' },
    );
    try {
      const accepted = await Promise.all(
        Array.from({ length: cases }, (_, n) => world.accept({ ...alertNumber(n), collect: false })),
      );
      const documents = await world.ended(
        accepted.map(({ caseId }) => caseId),
        120_000 + 250 * cases,
      );
      const ends = documents.filter(({ runs }) => runs[0]?.status === 'decided').length;
      const { total, quotaRetried } = simulator.calls();
      return {
        measured: `${ends} of ${cases} end; ${(total / cases).toFixed(2)} x ideal; quota codes retried ${quotaRetried} times`,
        passed: ends === cases && total <= MOST_CALLS * cases && quotaRetried === 0,
      };
    } finally {
      await world.close();
      await simulator.close();
    }
  },
};

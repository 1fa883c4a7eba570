import { done } from '@casefile/contracts';
import type { Rules, Strategy } from '../strategy.js';

/**
 * The answer of the kind's own rules, chosen or compared with a model's; no model is asked, and it is no fallback. S1-40,
 * S3-44.
 * @param name Stands on the draft.
 */
export function byRules(name: string, { answer }: Rules): Strategy {
  return {
    promptIds: {},
    reason: async (input, { run }) => done({ ...answer(input, run.unit, run.settings), strategy: name }),
  };
}

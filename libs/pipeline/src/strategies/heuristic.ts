import { done } from '@casefile/contracts';
import type { Strategy } from '../strategy.js';

/** The playbook's own answer without a model: chosen, compared in shadow, or fallen back to. */
export const heuristic: Strategy = {
  name: 'heuristic',
  reason: async (input, ports) =>
    done({
      ...ports.run.playbook.heuristic(input, ports.run.unit, ports.run.settings),
      strategy: 'heuristic',
    }),
};

import { fallBack } from '../answer-or-fall-back.js';
import type { Strategy } from '../strategy.js';
import { heuristic } from './heuristic.js';

const STRATEGY = 'rules';

/**
 * The playbook's own rules over what its tools found, chosen or taken where no model is configured; which of the two it
 * was is on the draft. S3-44.
 */
export const rules: Strategy = {
  name: STRATEGY,
  async reason(input, ports) {
    if (ports.run.settings.strategy !== STRATEGY) return fallBack(STRATEGY, input, ports, 'no_provider');
    const outcome = await heuristic.reason(input, ports);
    return outcome.kind === 'done'
      ? { ...outcome, artifact: { ...outcome.artifact, strategy: STRATEGY } }
      : outcome;
  },
};

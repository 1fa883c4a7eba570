import { CasefileError } from '@casefile/contracts';
import { answerOrFallBack } from '../answer-or-fall-back.js';
import type { Strategy } from '../strategy.js';

/** Asks a model once, once more when the answer is not valid, and falls back to the playbook's heuristic. */
export const singleShot: Strategy = {
  name: 'single-shot',
  async reason(input, ports) {
    const { name, answer: prompt } = ports.run.playbook;
    if (prompt === undefined) throw new CasefileError('bad_playbook', `${name} has no answer prompt`);
    return answerOrFallBack({ strategy: 'single-shot', prompt }, input, ports);
  },
};

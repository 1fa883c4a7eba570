import { answerOrFallBack } from '../answer-or-fall-back.js';
import type { DraftQuestion, Rules, Strategy } from '../strategy.js';

/** Asks a model once, once more when the answer is not valid, and falls back to the rules. */
export function singleShot({ id, about }: DraftQuestion, rules: Rules): Strategy {
  return {
    promptIds: { answer: id },
    reason: (input, ports) =>
      answerOrFallBack(about(input), { strategy: 'single-shot', rules }, input, ports),
  };
}

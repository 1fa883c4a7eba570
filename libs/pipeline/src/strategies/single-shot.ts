import { answerOrFallBack } from '../answer-or-fall-back.js';
import type { AnswerPrompt, Rules, Strategy } from '../strategy.js';

/** Asks a model once, once more when the answer is not valid, and falls back to the rules. */
export function singleShot(prompt: AnswerPrompt, rules: Rules): Strategy {
  return {
    promptIds: { answer: prompt.id },
    reason: (input, ports) => answerOrFallBack({ strategy: 'single-shot', prompt, rules }, input, ports),
  };
}

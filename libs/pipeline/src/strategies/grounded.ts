import { CasefileError, gapsOf } from '@casefile/contracts';
import { answerOrFallBack, fallBack } from '../answer-or-fall-back.js';
import type { DraftQuestion, Rules, Strategy } from '../strategy.js';

const STRATEGY = 'grounded';

/**
 * Asks the question of the brief's mode, over what the playbook's tools found. Where one of them could not look, there is
 * no text, or its language could not be looked for, no model is asked: an answer that rests on nothing is no better than the rules'. S3-41.
 * @param questions One for each mode that the playbook's routing knows.
 * @returns a strategy that throws CasefileError `bad_playbook` for any other mode.
 */
export function grounded(questions: Readonly<Record<string, DraftQuestion>>, rules: Rules): Strategy {
  return {
    promptIds: Object.fromEntries(Object.entries(questions).map(([mode, { id }]) => [mode, id])),
    async reason(input, ports) {
      const { mode = '(none)', text, language } = input.brief;
      const question = Object.hasOwn(questions, mode) ? questions[mode] : undefined;
      if (question === undefined)
        throw new CasefileError(
          'bad_playbook',
          `${ports.run.settings.playbook} has no question for the mode ${mode}`,
        );
      const instead = (reason: string) => fallBack({ strategy: STRATEGY, rules }, input, ports, reason);
      if (text.trim() === '') return instead('no_text');
      if (language?.failure !== undefined) {
        ports.log.warn({ reason: language.failure }, 'the language of the text could not be told');
        return instead('routing_failed');
      }
      const missing = gapsOf(input.evidence).find((gap) => ports.run.settings.tools.includes(gap.toolName));
      if (missing !== undefined) {
        ports.log.warn(
          { tool: missing.toolName, reason: missing.reason },
          'what to rest on could not be fetched',
        );
        return instead('retrieval_failed');
      }
      // S3-44: that no model is configured is no failure, and the draft names the rules that judged.
      if (!ports.model.available) return fallBack({ strategy: 'rules', rules }, input, ports, 'no_provider');
      return answerOrFallBack(question.about(input), { strategy: STRATEGY, rules }, input, ports);
    },
  };
}

import { CasefileError, gapsOf } from '@casefile/contracts';
import { answerOrFallBack, fallBack } from '../answer-or-fall-back.js';
import type { Strategy } from '../strategy.js';
import { rules } from './rules.js';

const STRATEGY = 'grounded';

/**
 * Asks the question of the brief's mode, over what the playbook's tools found. Where one of them could not look, there is
 * no text, or its language could not be looked for, no model is asked: an answer that rests on nothing is no better than the playbook's own. S3-41.
 */
export const grounded: Strategy = {
  name: STRATEGY,
  async reason(input, ports) {
    const { playbook, settings } = ports.run;
    const prompt = playbook.answers?.[input.brief.mode ?? ''];
    if (prompt === undefined) {
      const mode = input.brief.mode ?? '(none)';
      throw new CasefileError('bad_playbook', `${playbook.name} has no question for the mode ${mode}`);
    }
    if (input.brief.text.trim() === '') return fallBack(STRATEGY, input, ports, 'no_text');
    const routing = input.brief.language?.failure;
    if (routing !== undefined) {
      ports.log.warn({ reason: routing }, 'the language of the text could not be told');
      return fallBack(STRATEGY, input, ports, 'routing_failed');
    }
    const missing = gapsOf(input.evidence).find((gap) => settings.tools.includes(gap.toolName));
    if (missing !== undefined) {
      ports.log.warn(
        { tool: missing.toolName, reason: missing.reason },
        'what to rest on could not be fetched',
      );
      return fallBack(STRATEGY, input, ports, 'retrieval_failed');
    }
    // S3-44: that no model is configured is no failure, and the playbook has rules of its own.
    if (!ports.model.available) return rules.reason(input, ports);
    return answerOrFallBack({ strategy: STRATEGY, prompt }, input, ports);
  },
};

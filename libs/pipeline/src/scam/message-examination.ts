import { lookUpsOf, type Review, type RunSettings } from '@casefile/contracts';
import type { Options } from '../options.js';
import type { Examination } from '../parts/cross-examining.js';
import type { ExaminationPrompt } from '../parts/examined-matter.js';
import type { ReviewInput } from '../stage-parts.js';
import type { ClearingOptions } from './against-dismissal.js';
import { recordStance, type Conclusion } from './burden-of-proof.js';
import { messageMatter } from './message-matter.js';

/** Options of a kind that examines conclusions about messages. */
interface ExaminationOptions extends ClearingOptions {
  crossExamine: boolean;
  /** Time for the question, its repair and its examination together, in milliseconds. */
  deadlineMs: number;
  plantedClaims: number;
}

/**
 * Returns the cross-examination of a kind that judges messages. A conclusion is examined only if the rules reach none
 * from the same record, within the time that is left of the strategy's deadline.
 * @param concluded Returns the conclusion on which the verdict would rest; null: it rests on none, or needs review in any case.
 */
export function messageExamination(
  prompt: ExaminationPrompt,
  options: Pick<Options<ExaminationOptions>, 'read'>,
  concluded: (input: ReviewInput, review: Review, settings: RunSettings) => Conclusion | null,
): Examination {
  return {
    limits: (settings, { draft }) => {
      const { crossExamine, deadlineMs, plantedClaims } = options.read(settings.options);
      return { crossExamine, timeoutMs: Math.min(deadlineMs, draft.leftMs ?? deadlineMs), plantedClaims };
    },
    matter(input, review, settings) {
      const { brief, evidence, draft } = input;
      if (draft.method !== 'llm' || brief.text.trim() === '') return null;
      const conclusion = concluded(input, review, settings);
      if (conclusion === null || (conclusion === 'harmless' && lookUpsOf(evidence.items).failed > 0))
        return null;
      const stance = recordStance(conclusion, { brief, evidence, review }, options.read(settings.options));
      return stance === 'open' ? messageMatter(conclusion, input, prompt) : null;
    },
  };
}

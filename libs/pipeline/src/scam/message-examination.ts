import { lookUpsOf, type Review, type RunSettings } from '@casefile/contracts';
import type { Options } from '../options.js';
import type { Examination } from '../parts/cross-examining.js';
import type { ExaminationPrompt, Matter } from '../parts/examined-matter.js';
import type { ReviewInput } from '../stage-parts.js';
import type { ClearingOptions } from './against-dismissal.js';
import { recordStance, type Conclusion } from './burden-of-proof.js';
import { inLine } from '../plain-text.js';
import { evidenceLine } from './tool-readings.js';

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

/** Source by which an examination cites the message itself. */
const MESSAGE = 'message';
/** UTF-16 units of the message that an examination is shown. */
const MESSAGE_SHOWN = 20_000;
const CLAIMS: Readonly<Record<Conclusion, string>> = {
  scam: 'The message is part of a scam',
  harmless: 'The message is harmless',
};

/** Returns the matter of an examination: a model's conclusion about a message, with the message and the look-ups. */
export function messageMatter(
  conclusion: Conclusion,
  { brief, evidence, draft }: Pick<ReviewInput, 'brief' | 'evidence' | 'draft'>,
  prompt: ExaminationPrompt,
): Matter {
  const read = evidence.items.filter(({ success }) => success);
  const asClaim = (statement: string) => `${CLAIMS[conclusion]}: ${statement}`;
  const cited = read.flatMap(({ id }) => (draft.evidenceUsed.includes(id) ? [id] : []));
  return {
    prompt,
    about: ['A message that a person received.', ...brief.notes].join('\n'),
    claims: [{ id: 'C1', text: asClaim(draft.explanation), sources: [MESSAGE, ...cited] }],
    sources: [
      // In one line, so that no line of the message looks like another source.
      { id: MESSAGE, title: 'The message', text: inLine(brief.text, MESSAGE_SHOWN) },
      ...read.map((item) => ({
        id: item.id,
        title: item.toolName,
        text: evidenceLine(item, brief.receivedAt).slice(`[${item.id}] `.length),
        isLines: true,
      })),
    ],
    asClaim,
  };
}

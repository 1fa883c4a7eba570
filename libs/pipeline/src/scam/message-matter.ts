import type { ReviewInput } from '../stage-parts.js';
import type { ExaminationPrompt, Matter } from '../parts/examined-matter.js';
import { inLine } from '../plain-text.js';
import type { Conclusion } from './burden-of-proof.js';
import { evidenceLine } from './evidence-line.js';

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

import { CasefileError, z } from '@casefile/contracts';
import type { UnitResult } from '@casefile/pipeline/stage-parts';
import { distinctFlags } from './answer.js';
import type { ScreeningOptions } from './options.js';

/** Fields of the answer that the decision uses. Other fields of the draft are ignored. */
const answerSchema = z.object({
  isScam: z.boolean(),
  confidence: z.number().min(0).max(1),
  primaryCategory: z.string().nullable().default(null),
  redFlags: z.array(z.string()).default([]),
});
export type DecidedAnswer = z.infer<typeof answerSchema>;

/** Possible actions on a message, the weakest first. */
export const ACTIONS = ['ignore', 'probe', 'engage'] as const;
export type ScreeningAction = (typeof ACTIONS)[number];
/** Disposition that follows from each action. `probe` asks the sender for more, and counts as a review. */
export const DISPOSITION = { engage: 'act', probe: 'review', ignore: 'dismiss' } as const;

export interface ScreeningRuling {
  action: ScreeningAction;
  reason: string;
  /** A person reviews the case although the action is `ignore`. */
  needsReview?: boolean;
}

/** Returns the answer of a draft, and the action that the table states for it (S3-40). */
export function tableRuling(
  { brief, draft }: Pick<UnitResult, 'brief' | 'draft'>,
  thresholds: ScreeningOptions,
): ScreeningRuling & { answer: DecidedAnswer } {
  const answer = decidedAnswer({ draft });
  return { answer, ...tableRow(brief.mode === 'normal', answer, thresholds) };
}

function tableRow(
  isNormal: boolean,
  { isScam, confidence, redFlags }: DecidedAnswer,
  t: ScreeningOptions,
): ScreeningRuling {
  if (!isScam) return { action: 'ignore', reason: 'not a scam' };
  if (isNormal) {
    if (confidence >= t.normalEngageFrom) return { action: 'engage', reason: 'high confidence' };
    if (confidence >= t.normalProbeFrom) return { action: 'probe', reason: 'medium confidence' };
    return { action: 'ignore', reason: 'low confidence' };
  }
  const count = redFlags.length;
  // The table is not monotonic on purpose: two red flags lead to `probe` at confidence 0.8, but to `ignore`
  // at 0.9.
  if (confidence >= t.strictEngageFrom)
    return count >= t.strictEngageFlags
      ? { action: 'engage', reason: 'high confidence and indicators' }
      : // Enough flags for `probe` at a lower confidence: the message is ignored, but a person reviews it.
        { action: 'ignore', reason: 'insufficient indicators', needsReview: count >= t.strictProbeFlags };
  if (confidence >= t.strictProbeFrom)
    return count >= t.strictProbeFlags
      ? { action: 'probe', reason: 'medium confidence and indicators' }
      : { action: 'ignore', reason: 'insufficient indicators' };
  return { action: 'ignore', reason: 'low confidence' };
}

function decidedAnswer({ draft }: Pick<UnitResult, 'draft'>): DecidedAnswer {
  const parsed = answerSchema.safeParse(draft.answer);
  if (parsed.success) return { ...parsed.data, redFlags: distinctFlags(parsed.data.redFlags) };
  throw new CasefileError(
    'bad_draft',
    `the policy engage-probe-ignore cannot read the answer of ${draft.strategy}: ${parsed.error.message}`,
  );
}

import {
  degradationOf,
  degradedCauseOf,
  parseInput,
  z,
  type Verdict,
  type VerdictEffect,
} from '@casefile/contracts';
import { defineOptions, type DecisionRule } from '@casefile/pipeline';
import { answerSchema } from './answer.js';
import { parcelSchema } from './parcel.js';

/** The configuration sets the longest side that a courier accepts, in cm. */
export const options = defineOptions(
  'parcel-size',
  z.object({
    deadlineMs: z.number().positive().default(5_000),
    courierUpToCm: z.number().positive().default(200),
  }),
);

const DISPOSITION = { post: 'dismiss', courier: 'act', freight: 'review' } as const;

/** Decides between post and courier by the size, and excludes couriers by the longest side. */
export const bySize: DecisionRule = {
  name: 'by-size',
  decide([unit], settings, decidedAt) {
    const { courierUpToCm } = options.read(settings.options);
    const { size } = parseInput(answerSchema, unit?.draft.answer, 'answer');
    const longestCm = Math.max(...parseInput(parcelSchema, unit?.brief.input, 'parcel').sidesCm);
    const way = longestCm > courierUpToCm ? 'freight' : size === 'large' ? 'courier' : 'post';
    const {
      confidence = 0,
      confidenceSource = 'heuristic',
      method = 'heuristic',
      explanation,
      fallbackReason,
    } = unit?.draft ?? {};
    return {
      outcome: { way, size, longestCm, summary: `${longestCm} cm long: ${way}` },
      disposition: DISPOSITION[way],
      confidence,
      confidenceSource,
      method,
      reasons: [`${way}: ${explanation ?? ''}`],
      citations: [],
      ...degradationOf([fallbackReason === undefined ? null : degradedCauseOf(fallbackReason)]),
      decidedAt,
    };
  },
};

/** Returns the effects of calling a courier: the engagement session with the courier begins. */
export function courierEffects({ outcome, confidence }: Verdict): VerdictEffect[] {
  if (outcome['way'] !== 'courier') return [];
  return [
    {
      kind: 'session',
      sessionId: null,
      conversation: null,
      action: 'call-courier',
      stage: 'called',
      category: null,
      confidence,
      redFlags: [],
    },
  ];
}

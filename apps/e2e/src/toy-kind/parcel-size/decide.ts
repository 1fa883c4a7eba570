import { parseInput, z, type Verdict, type VerdictEffect } from '@casefile/contracts';
import { decisionRule, defineOptions } from '@casefile/pipeline';
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
export const bySize = decisionRule({
  name: 'by-size',
  decide({ unit: { brief, draft }, settings }) {
    const { courierUpToCm } = options.read(settings.options);
    const { size } = parseInput(answerSchema, draft.answer, 'answer');
    const longestCm = Math.max(...parseInput(parcelSchema, brief.input, 'parcel').sidesCm);
    const way = longestCm > courierUpToCm ? 'freight' : size === 'large' ? 'courier' : 'post';
    return {
      outcome: { way, size, longestCm, summary: `${longestCm} cm long: ${way}` },
      disposition: DISPOSITION[way],
      reasons: [`${way}: ${draft.explanation}`],
    };
  },
});

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

import { z, type JsonObject } from '@casefile/contracts';

export const RISK_LEVELS = ['low', 'medium', 'high'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

/** When the answer has no confidence. S1-23. */
export const DEFAULT_CONFIDENCE = 50;
const MAX_USED = 1_000;

const riskLevelSchema = z
  .string({ error: 'expected one of "low", "medium", "high"' })
  .transform((level) => level.trim().toLowerCase())
  .pipe(z.enum(RISK_LEVELS, { error: 'expected one of "low", "medium", "high"' }));

/** An answer as a model gives it; unknown keys are ignored. S1-23. */
export const scamAnswerSchema = z.object({
  riskLevel: riskLevelSchema,
  confidence: z.number({ error: 'expected a number from 0 to 100' }).optional(),
  explanation: z
    .string({ error: 'expected a text' })
    .refine((text) => text.trim() !== '', { error: 'expected a text that is not empty' }),
  evidenceUsed: z
    .array(z.string({ error: 'expected an evidence id' }), { error: 'expected a list of evidence ids' })
    .max(MAX_USED, { error: `expected at most ${MAX_USED} evidence ids` })
    .nullish(),
});
export type ScamAnswer = z.infer<typeof scamAnswerSchema>;

/** The same for providers with structured output. */
export const scamAnswerJsonSchema: JsonObject = {
  type: 'object',
  properties: {
    riskLevel: {
      type: 'string',
      enum: [...RISK_LEVELS],
      description: 'How likely it is that the text is part of a scam.',
    },
    confidence: {
      type: 'number',
      minimum: 0,
      maximum: 100,
      description: 'How sure you are of the risk level.',
    },
    explanation: {
      type: 'string',
      description: 'Why, in a few sentences, citing evidence ids such as [E1].',
    },
    evidenceUsed: {
      type: 'array',
      items: { type: 'string' },
      description: 'Ids of the evidence the answer rests on.',
    },
  },
  required: ['riskLevel', 'confidence', 'explanation', 'evidenceUsed'],
  additionalProperties: false,
};

import { z, type JsonObject } from '@casefile/contracts';

const MAX_ENTRIES = 100;
const MAX_CHARACTERS = 500;

const list = (what: string) =>
  z
    .array(
      z.string({ error: `expected ${what} as text` }).transform((text) => text.slice(0, MAX_CHARACTERS)),
      {
        error: `expected a list of ${what}`,
      },
    )
    .max(MAX_ENTRIES, { error: `expected at most ${MAX_ENTRIES} entries` });

/** An answer as a model gives it; unknown keys are ignored. S3-30. */
export const screeningAnswerSchema = z.object({
  isScam: z.boolean({ error: 'expected true or false' }),
  // Not clamped: 85 is no confidence of 1, and what is meant by it the model has to say.
  confidence: z
    .number({ error: 'expected a number from 0 to 1' })
    .min(0, { error: 'expected a number from 0 to 1' })
    .max(1, { error: 'expected a number from 0 to 1' }),
  primaryCategory: z.string({ error: 'expected a category or null' }).max(MAX_CHARACTERS).nullish(),
  reasoning: z
    .string({ error: 'expected a text' })
    .refine((text) => text.trim() !== '', { error: 'expected a text that is not empty' }),
  matchedPatterns: z
    .array(z.union([z.number(), z.string()], { error: 'expected numbers of matches' }), {
      error: 'expected a list of numbers of matches',
    })
    .max(MAX_ENTRIES)
    .nullish(),
  // Decisions count them: an answer that leaves them out is not one without any.
  redFlags: list('red flags'),
  legitimacyIndicators: list('signs of an honest message').nullish(),
});
export type ScreeningAnswer = z.infer<typeof screeningAnswerSchema>;

const texts = (description: string) => ({ type: 'array', items: { type: 'string' }, description });

/** The same for providers with structured output. */
export const screeningAnswerJsonSchema: JsonObject = {
  type: 'object',
  properties: {
    isScam: { type: 'boolean', description: 'Is the message part of a scam?' },
    confidence: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'How sure you are of isScam, from 0 to 1.',
    },
    primaryCategory: {
      type: ['string', 'null'],
      description: 'The kind of scam in snake_case, for example kyc_banking; null when it is none.',
    },
    reasoning: { type: 'string', description: 'Why, in a few sentences for a reader who must defend it.' },
    matchedPatterns: {
      type: 'array',
      items: { type: 'integer' },
      description:
        'Numbers of the known patterns that the message follows; empty when none was given or fits.',
    },
    redFlags: texts('Each independent sign of a scam in the message, a few words each, none twice.'),
    legitimacyIndicators: texts('Each sign that the message is honest, a few words each.'),
  },
  required: [
    'isScam',
    'confidence',
    'primaryCategory',
    'reasoning',
    'matchedPatterns',
    'redFlags',
    'legitimacyIndicators',
  ],
  additionalProperties: false,
};

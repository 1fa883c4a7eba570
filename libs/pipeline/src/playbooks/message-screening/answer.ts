import { type AnswerReading, type ReadAnswer, z, type JsonObject } from '@casefile/contracts';
import { plainText } from '../../plain-text.js';
import type { DraftParts, ReasonInput } from '../../strategy.js';
import { onScale } from '../../answers/fit-to-schema.js';
import { readObject } from '../../answers/read-object.js';
import { evidenceMatches } from './matches.js';

/** Reads an answer of a model into a draft, or says in a sentence what is wrong with it. S3-30. */
export function readAnswer(
  content: string,
  input: ReasonInput,
  reading?: AnswerReading,
): ReadAnswer<DraftParts> {
  const read = readObject(screeningAnswerSchema, content, reading);
  return 'value' in read ? { value: answerDraft(read.value, input) } : read;
}

function answerDraft(answer: ScreeningAnswer, input: ReasonInput): DraftParts {
  const reasoning = plainText(answer.reasoning.trim());
  const { patterns, citations, unknown } = namedPatterns(answer.matchedPatterns ?? [], input);
  return {
    answer: {
      isScam: answer.isScam,
      confidence: answer.confidence,
      primaryCategory: answer.isScam ? categoryOf(answer.primaryCategory) : null,
      reasoning,
      matchedPatterns: patterns,
      redFlags: distinctFlags(answer.redFlags.map(plainText)),
      legitimacyIndicators: distinctFlags((answer.legitimacyIndicators ?? []).map(plainText)),
    },
    explanation: reasoning,
    claims: [{ text: reasoning, citations }],
    evidenceUsed: citations,
    confidence: answer.confidence,
    confidenceSource: 'llm',
    method: 'llm',
    remarks: unknown ? ['unknown_pattern'] : [],
  };
}

// An open set, but one way of writing: "KYC banking" and "kyc-banking" are one category.
function categoryOf(given: string | null | undefined): string {
  const words = plainText(given ?? '')
    .trim()
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words === null ? 'other' : words.join('_').slice(0, 100);
}

// By number as asked, by id or title as models do all the same.
function namedPatterns(named: (string | number)[], { evidence }: ReasonInput) {
  const known = evidenceMatches(evidence);
  const found = named.map((name) => {
    const said = String(name).trim().replace(/^#/, '');
    return known.find(({ match }) => [String(match.number), match.patternId, match.title].includes(said));
  });
  const matched = found.filter((entry) => entry !== undefined);
  return {
    patterns: [...new Set(matched.map(({ match }) => match.patternId))],
    citations: [...new Set(matched.map(({ evidenceId }) => evidenceId))],
    unknown: matched.length < found.length,
  };
}

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
const screeningAnswerSchema = z.object({
  isScam: z.boolean({ error: 'expected true or false' }),
  // Not clamped: a figure beyond the scale has no reading, and the model has to say what it is.
  confidence: z
    .number({ error: 'expected a number from 0 to 1' })
    .min(0, { error: 'expected a number from 0 to 1' })
    .max(1, { error: 'expected a number from 0 to 1' })
    .meta(onScale(1)),
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
type ScreeningAnswer = z.infer<typeof screeningAnswerSchema>;

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

/** Each flag once, whatever its case, blanks and closing stop; empty ones are none. In order of appearance. S3-30. */
export function distinctFlags(flags: readonly string[]): string[] {
  const seen = new Set<string>();
  return flags.map(trimmedFlag).filter((flag) => {
    const key = flag.toLowerCase();
    if (key === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

// A flag of signs alone ("-", "...") says nothing.
function trimmedFlag(flag: string): string {
  const text = flag.normalize('NFKC').replace(/\s+/gu, ' ').trim();
  const bare = text.replace(/^[\s\-*•.,;:]+|(?<![\s.,;:])[\s.,;:]+$/gu, '');
  return /[\p{L}\p{N}]/u.test(bare) ? bare : '';
}

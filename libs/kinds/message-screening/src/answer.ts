import { type ReadAnswer, z, type JsonObject } from '@casefile/contracts';
import { plainText } from '@casefile/pipeline/plain-text';
import type { DraftParts, ReasonInput } from '@casefile/pipeline/strategy';
import { onScale } from '@casefile/pipeline/answers/fit-to-schema';
import { readObject } from '@casefile/pipeline/answers/read-object';
import { evidenceMatches } from './matches.js';

/** Reads a model's answer into a draft, or returns a sentence that states what is wrong with it. */
export function readAnswer(content: string, input: ReasonInput): ReadAnswer<DraftParts> {
  const read = readObject(screeningAnswerSchema, content);
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

// Categories are an open set, but each has one spelling: "KYC banking" and "kyc-banking" are the same.
function categoryOf(given: string | null | undefined): string {
  const words = plainText(given ?? '')
    .trim()
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words === null ? 'other' : words.join('_').slice(0, 100);
}

// The question asks for numbers of patterns, but models also answer with ids or titles. All three are read.
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

/** A model's answer. Unknown keys are ignored. */
const screeningAnswerSchema = z.object({
  isScam: z.boolean({ error: 'expected true or false' }),
  // The value is not clamped, because a figure beyond the scale has no single reading. The model is asked
  // again.
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
  // Required, because decisions count the flags. An answer that omits them does not mean that there are none.
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

/**
 * Returns each flag only one time, ignoring case, blanks and the final stop, in order of appearance. Empty
 * flags are left out.
 */
export function distinctFlags(flags: readonly string[]): string[] {
  const seen = new Set<string>();
  return flags.map(trimmedFlag).filter((flag) => {
    const key = flag.toLowerCase();
    if (key === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

// A flag that consists only of signs ("-", "...") has no meaning and becomes empty.
function trimmedFlag(flag: string): string {
  const text = flag.normalize('NFKC').replace(/\s+/gu, ' ').trim();
  const bare = text.replace(/^[\s\-*•.,;:]+|(?<![\s.,;:])[\s.,;:]+$/gu, '');
  return /[\p{L}\p{N}]/u.test(bare) ? bare : '';
}

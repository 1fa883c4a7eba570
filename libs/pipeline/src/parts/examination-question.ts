import {
  CLAIM_ANSWERS,
  z,
  type ClaimAnswer,
  type ExaminedClaim,
  type JsonObject,
  type Question,
  type ReadAnswer,
} from '@casefile/contracts';
import { oneOf } from '../answers/fit-to-schema.js';
import { readObject } from '../answers/read-object.js';
import { markHidden } from '../entities/hidden-characters.js';
import { fencedText } from '../fence.js';
import { holdsWords, isTooFewWords } from '../reading/index.js';
import { firstCodePoints, inLine, plainText } from '../plain-text.js';
import type { Prompt, PromptText } from '../prompts/prompt.js';
import { markRetry } from '../prompts/sections.js';

/** Prompt sections of a cross-examination, the same for every playbook. */
export const EXAMINATION_SECTIONS = {
  system: [],
  about: ['about'],
  claims: ['claims'],
  sources: ['sources'],
  task: ['schema'],
  retry: ['answer', 'problem'],
} as const;
export type ExaminationPrompt = Prompt<typeof EXAMINATION_SECTIONS>;

/** A claim of a draft, with the ids of the sources that it cites. */
export interface Claim {
  /** Unique in its question: `C1`. */
  id: string;
  text: string;
  sources: readonly string[];
}

/** A source as the question shows it. */
export interface ClaimSource {
  id: string;
  /** One line: the origin of the text. */
  title: string;
  text: string;
}

/** Subject of a cross-examination. */
export interface Matter {
  prompt: ExaminationPrompt;
  /** Subject of the case: the alert, the query. */
  about: string;
  claims: readonly Claim[];
  /** The cited sources, and others that may contradict a claim. */
  sources: readonly ClaimSource[];
}

/** Most claims of one question. */
export const MOST_CLAIMS = 60;
/** Most code points of one claim and of all sources together, and the least of one source. */
const CLAIM_SHOWN = 1_000;
const SOURCES_SHOWN = 60_000;
const LEAST_SHOWN = 600;
const ABOUT_SHOWN = 4_000;
/** Output tokens: for the frame of the answer, and for each claim with its quote. */
const OUTPUT_TOKENS = { frame: 400, claim: 120 } as const;
/** Most code points of a quote, which is shown in reports and lists. */
const QUOTE_KEPT = 500;

/**
 * Asks for each claim whether its sources support it. The answer has every claim once, each quote in a
 * source.
 */
export function examinationQuestion(
  matter: Matter,
  text: PromptText<typeof EXAMINATION_SECTIONS>,
): Question<ExaminedClaim[]> {
  const claims = matter.claims.slice(0, MOST_CLAIMS);
  const sources = shownSources(matter.sources);
  const schema = answerSchemaFor(claims);
  return {
    id: text.id,
    kind: 'cross-examination',
    level: 'low',
    system: text.render({ system: {} }),
    render: (mark, wrong) =>
      text.render({
        about: { about: fencedText(markHidden(firstCodePoints(plainText(matter.about), ABOUT_SHOWN)), mark) },
        claims: { claims: fencedText(claims.map(claimLine).join('\n'), mark) },
        sources: { sources: fencedText(sources.map(shownSource).join('\n\n'), mark) },
        task: { schema: JSON.stringify(schema, null, 1) },
        retry: markRetry(mark, wrong),
      }),
    answer: { name: 'cross_examination', schema },
    maxOutputTokens: OUTPUT_TOKENS.frame + OUTPUT_TOKENS.claim * claims.length,
    read(content) {
      const read = readObject(answerSchema, content);
      return 'value' in read ? checkedAnswers(read.value.claims, claims, sources) : read;
    },
  };
}

const claimLine = ({ id, text, sources }: Claim): string =>
  `${id} [${sources.join(', ')}]: ${markHidden(inLine(text, CLAIM_SHOWN))}`;

/** Each source gets the same share. A longer source is cut, and its quotes are searched in the shown part. */
function shownSources(sources: readonly ClaimSource[]): ClaimSource[] {
  const most = Math.max(LEAST_SHOWN, Math.floor(SOURCES_SHOWN / Math.max(1, sources.length)));
  return sources.map(({ id, title, text }) => ({
    id,
    title: markHidden(inLine(title, 300)),
    text: markHidden(firstCodePoints(plainText(text), most)),
  }));
}

const shownSource = ({ id, title, text }: ClaimSource): string => `[${id}] ${title}\n${text}`;

const WORDS: Readonly<Record<string, ClaimAnswer>> = {
  supports: 'supports',
  support: 'supports',
  supported: 'supports',
  contradicts: 'contradicts',
  contradict: 'contradicts',
  contradicted: 'contradicts',
  notinit: 'not_in_it',
  notin: 'not_in_it',
  notfound: 'not_in_it',
  absent: 'not_in_it',
};

const answerSchema = z.object({
  claims: z
    .array(
      z.object({
        id: z.string({ error: 'expected the id of a claim' }).transform((id) => id.replace(/[^\w-]/g, '')),
        answer: z
          .string({ error: `expected one of ${CLAIM_ANSWERS.join(', ')}` })
          .meta(oneOf(CLAIM_ANSWERS))
          .transform((word, context) => {
            const key = word.toLowerCase().replace(/[^a-z]/g, '');
            if (Object.hasOwn(WORDS, key)) return WORDS[key]!;
            context.addIssue({ code: 'custom', message: `expected one of ${CLAIM_ANSWERS.join(', ')}` });
            return z.NEVER;
          }),
        quote: z
          .string({ error: 'expected the exact words of a source' })
          .nullish()
          .transform((quote) => (quote ?? '').trim()),
      }),
    )
    .max(10 * MOST_CLAIMS),
});
type Answers = z.output<typeof answerSchema>['claims'];

/** The JSON schema of the answer for providers with structured output, and for prompts. */
function answerSchemaFor(claims: readonly Claim[]): JsonObject {
  return {
    type: 'object',
    properties: {
      claims: {
        type: 'array',
        description: `One entry for each of the ${claims.length} claims`,
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'Of the claim, for example C1' },
            answer: { type: 'string', enum: [...CLAIM_ANSWERS] },
            quote: { type: 'string', description: 'Exact words of a source; empty for not_in_it' },
          },
          required: ['id', 'answer', 'quote'],
          additionalProperties: false,
        },
      },
    },
    required: ['claims'],
    additionalProperties: false,
  };
}

/**
 * Returns every claim with its answer, or a sentence on claims without an answer and on quotes that no source
 * contains.
 */
function checkedAnswers(
  answers: Answers,
  claims: readonly Claim[],
  sources: readonly ClaimSource[],
): ReadAnswer<ExaminedClaim[]> {
  const problems: string[] = [];
  const examined = claims.flatMap((claim): ExaminedClaim[] => {
    const own = answers.filter(({ id }) => id === claim.id);
    const [first] = own;
    if (first === undefined) problems.push(`${claim.id} has no answer`);
    else if (own.some(({ answer }) => answer !== first.answer)) problems.push(`${claim.id} has two answers`);
    else {
      const quote = quoteFor(first, claim, sources);
      if (typeof quote !== 'string')
        return [
          {
            id: claim.id,
            text: inLine(claim.text, CLAIM_SHOWN),
            sources: [...claim.sources],
            answer: first.answer,
            quote,
          },
        ];
      problems.push(`${claim.id}: ${quote}`);
    }
    return [];
  });
  if (problems.length === 0) return { value: examined };
  return { problem: `The answer cannot be used: ${problems.slice(0, 5).join('; ')}.` };
}

/**
 * Returns the quote with the source that contains it, null if none is needed, or a sentence on the problem.
 */
function quoteFor(
  { answer, quote }: Answers[number],
  { sources: cited }: Claim,
  sources: readonly ClaimSource[],
): ExaminedClaim['quote'] | string {
  if (answer === 'not_in_it') return null;
  if (isTooFewWords(quote)) return 'the quote is missing or has too few words';
  // Only a cited source supports a claim; any source may contradict it.
  const own = sources.filter(({ id }) => cited.includes(id));
  const others = answer === 'supports' ? [] : sources.filter(({ id }) => !cited.includes(id));
  const source = [...own, ...others].find(({ text }) => holdsWords(text, quote));
  if (source !== undefined) return { source: source.id, words: inLine(quote, QUOTE_KEPT) };
  const where = answer === 'supports' ? `its sources (${cited.join(', ')})` : 'any source';
  return `the quote “${inLine(quote, 100)}” does not occur in ${where}`;
}

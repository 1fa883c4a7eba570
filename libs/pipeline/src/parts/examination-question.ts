import {
  CLAIM_ANSWERS,
  z,
  type ClaimAnswer,
  type ExaminedClaim,
  type ExaminedPlanted,
  type JsonObject,
  type Question,
  type ReadAnswer,
} from '@casefile/contracts';
import { oneOf } from '../answers/fit-to-schema.js';
import { checkClaim } from '../claims/index.js';
import { readObject } from '../answers/read-object.js';
import { markHidden } from '../language/without-disguises.js';
import { fencedText } from '../fence.js';
import { holdsWords, isTooFewWords } from '../reading/index.js';
import { firstCodePoints, inLine, plainText } from '../plain-text.js';
import { type PromptText } from '../prompts/prompt.js';
import type { Claim, ClaimSource, EXAMINATION_SECTIONS, Matter } from './examined-matter.js';
import { MOST_PLANTED, randomOf, shuffled, type PlantedClaim } from './planted-claims.js';
import { markRetry, schemaText } from '../ask.js';

/** Answers of an examination: those on claims of the draft, and those on planted claims. */
export interface ExaminationAnswers {
  claims: ExaminedClaim[];
  planted: ExaminedPlanted[];
}

/** Most claims of one question. */
export const MOST_CLAIMS = 60;
/** Most code points of one claim and of all sources together, and the least of one source. */
const CLAIM_SHOWN = 1_000;
const SOURCES_SHOWN = 60_000;
const LEAST_SHOWN = 600;
const ABOUT_SHOWN = 4_000;
/** Output tokens: for the frame of the answer, and for each claim with its argument and quote. */
const OUTPUT_TOKENS = { frame: 400, claim: 180 } as const;
/** Most code points of a quote, which is shown in reports and lists. */
const QUOTE_KEPT = 500;

/**
 * Asks for each claim what speaks against it, and whether its sources support it. The answer has every claim once,
 * each quote in a source. Planted claims stand among the others: the question lists all in a drawn order, with new ids.
 */
export function examinationQuestion(
  matter: Matter,
  text: PromptText<typeof EXAMINATION_SECTIONS>,
  { planted = [], seed = '' }: { planted?: readonly PlantedClaim[]; seed?: string } = {},
): Question<ExaminationAnswers> {
  const listed = listedClaims(matter.claims.slice(0, MOST_CLAIMS), planted, seed);
  const sources = shownSources(matter.sources);
  const schema = answerSchemaFor(listed);
  return {
    id: text.id,
    kind: 'cross-examination',
    level: 'low',
    system: text.render({ system: {} }),
    render: (mark, wrong) =>
      text.render({
        about: { about: fencedText(markHidden(firstCodePoints(plainText(matter.about), ABOUT_SHOWN)), mark) },
        claims: { claims: fencedText(listed.map(claimLine).join('\n'), mark) },
        sources: { sources: fencedText(sources.map(shownSource).join('\n\n'), mark) },
        task: { schema: schemaText(schema) },
        retry: markRetry(mark, wrong),
      }),
    answer: { name: 'cross_examination', schema },
    maxOutputTokens: OUTPUT_TOKENS.frame + OUTPUT_TOKENS.claim * listed.length,
    read(content) {
      const read = readObject(answerSchema, content);
      if (!('value' in read)) return read;
      const checked = checkedAnswers(read.value.claims, listed, {
        sources,
        isOfOther: matter.isOfOther ?? isOfOther,
      });
      if (!('value' in checked)) return checked;
      const places = new Map(matter.claims.map(({ id }, place) => [id, place]));
      const claims = checked.value.claims.toSorted((a, b) => places.get(a.id)! - places.get(b.id)!);
      return { value: { ...checked.value, claims } };
    },
  };
}

/** Returns the planted claims of a question without an answer. */
export function unansweredPlanted(
  { claims }: Pick<Matter, 'claims'>,
  planted: readonly PlantedClaim[],
  seed: string,
): ExaminedPlanted[] {
  return listedClaims(claims.slice(0, MOST_CLAIMS), planted, seed).flatMap(({ askedAs, claim }) =>
    'change' in claim ? [examinedPlanted(askedAs, claim, null)] : [],
  );
}

/** A claim, with its id in the question. */
interface AskedClaim {
  askedAs: string;
  claim: Claim | PlantedClaim;
}

function listedClaims(
  claims: readonly Claim[],
  planted: readonly PlantedClaim[],
  seed: string,
): AskedClaim[] {
  if (planted.length === 0) return claims.map((claim) => ({ askedAs: claim.id, claim }));
  return shuffled([...claims, ...planted], randomOf(`${seed}/order`)).map((claim, place) => ({
    askedAs: `C${place + 1}`,
    claim,
  }));
}

const examinedPlanted = (
  askedAs: string,
  { text, sources, change }: PlantedClaim,
  answer: ClaimAnswer | null,
): ExaminedPlanted => ({ askedAs, text: inLine(text, CLAIM_SHOWN), sources: [...sources], change, answer });

const claimLine = ({ askedAs, claim: { text, sources } }: AskedClaim): string =>
  `${askedAs} [${sources.join(', ')}]: ${markHidden(inLine(text, CLAIM_SHOWN))}`;

/** Each source gets the same share. A longer source is cut, and its quotes are searched in the shown part. */
function shownSources(sources: readonly ClaimSource[]): ClaimSource[] {
  const most = Math.max(LEAST_SHOWN, Math.floor(SOURCES_SHOWN / Math.max(1, sources.length)));
  return sources.map(({ id, title, text, isLines = false }) => ({
    id,
    isLines,
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
    .max(10 * (MOST_CLAIMS + MOST_PLANTED)),
});
type Answers = z.output<typeof answerSchema>['claims'];

/** The JSON schema of the answer for providers with structured output, and for prompts. */
function answerSchemaFor(claims: readonly unknown[]): JsonObject {
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
            against: {
              type: 'string',
              description: 'What speaks most against the claim, in one short sentence',
            },
            answer: { type: 'string', enum: [...CLAIM_ANSWERS] },
            quote: { type: 'string', description: 'Exact words of a source; empty for not_in_it' },
          },
          required: ['id', 'against', 'answer', 'quote'],
          additionalProperties: false,
        },
      },
    },
    required: ['claims'],
    additionalProperties: false,
  };
}

/** What quotes of an answer are compared with. */
type Quoted = Pick<Matter, 'sources'> & Required<Pick<Matter, 'isOfOther'>>;

/**
 * Returns every claim with its answer, or a sentence on claims without an answer and on quotes that no source
 * contains. If a planted claim is supported, the quotes are not checked, because no answer of the examiner counts.
 */
function checkedAnswers(
  answers: Answers,
  listed: readonly AskedClaim[],
  record: Quoted,
): ReadAnswer<ExaminationAnswers> {
  const problems: string[] = [];
  const claims: ExaminedClaim[] = [];
  const planted: ExaminedPlanted[] = [];
  for (const { askedAs, claim } of listed) {
    const own = answers.filter(({ id }) => id === askedAs);
    const [first] = own;
    if (first === undefined) problems.push(`${askedAs} has no answer`);
    else if (own.some(({ answer }) => answer !== first.answer)) problems.push(`${askedAs} has two answers`);
    else if ('change' in claim) planted.push(examinedPlanted(askedAs, claim, first.answer));
    else {
      const quote = quoteFor(first, claim, record);
      if (typeof quote === 'string') problems.push(`${askedAs}: ${quote}`);
      else {
        const { id, text, sources: cited } = claim;
        claims.push({
          id,
          text: inLine(text, CLAIM_SHOWN),
          sources: [...cited],
          answer: first.answer,
          quote,
        });
      }
    }
  }
  if (planted.some(isSupported)) return { value: { claims: [], planted } };
  if (problems.length === 0) return { value: { claims, planted } };
  return { problem: `The answer cannot be used: ${problems.slice(0, 5).join('; ')}.` };
}

/** Returns whether the examiner supports a claim that was made to be false. */
export const isSupported = ({ answer }: Pick<ExaminedPlanted, 'answer'>): boolean => answer === 'supports';

/**
 * Returns the quote with the source that contains it, null if none is needed, or a sentence on the problem.
 */
function quoteFor(
  { answer, quote }: Answers[number],
  claim: Claim,
  { sources, isOfOther: isAboutOther }: Quoted,
): ExaminedClaim['quote'] | string {
  const { sources: cited } = claim;
  if (answer === 'not_in_it') return null;
  if (isTooFewWords(quote)) return 'the quote is missing or has too few words';
  // Only a cited source supports a claim; any source may contradict it.
  const own = sources.filter(({ id }) => cited.includes(id));
  const others = answer === 'supports' ? [] : sources.filter(({ id }) => !cited.includes(id));
  const source = [...own, ...others].find(({ text }) => holdsWords(text, quote));
  if (source !== undefined && answer === 'supports' && isAboutOther(claim, quote, source))
    return `the quote “${inLine(quote, 100)}” is about another subject or quantity than the claim`;
  if (source !== undefined) return { source: source.id, words: inLine(quote, QUOTE_KEPT) };
  const where = answer === 'supports' ? `its sources (${cited.join(', ')})` : 'any source';
  return `the quote “${inLine(quote, 100)}” does not occur in ${where}`;
}

/** Returns whether a quote that supports a claim names another subject or states another quantity than the claim. */
function isOfOther({ text }: Claim, quote: string, { id, text: of, isLines = false }: ClaimSource): boolean {
  const span = { id, quote, text: of, sort: isLines ? ('lines' as const) : ('prose' as const), at: null };
  const { parts } = checkClaim(text, [span], { dimensions: ['subject', 'quantity'] });
  return parts.some(({ result }) => result === 'contradicted');
}

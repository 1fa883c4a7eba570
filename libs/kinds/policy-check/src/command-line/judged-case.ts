import {
  citableFacts,
  criterionResultSchema,
  CRITERION_STATUSES,
  factName,
  factSchema,
  z,
  type CriterionResult,
  type RunDocument,
  type VerifiedCitation,
} from '@casefile/contracts';
import type { EvalCase } from '@casefile/kit/evaluation/eval-system';
import { normalText } from '@casefile/pipeline/reading/index';
import { callSpending, sum } from '@casefile/kit/evaluation/figures';
import type { ExpectedCriterion, LabelledCase } from './labelled-case.js';

const status = z.enum(CRITERION_STATUSES);
const count = z.number().int();

/** Result of one criterion together with its label. */
const judgedCriterionSchema = z.object({
  id: z.string(),
  expected: status,
  /** null: there is no result. */
  status: status.nullable(),
  confidence: z.number().nullable(),
  reasonCode: z.string().nullable(),
  iterations: count,
  /** Number of expected quotes, and how many of them were cited: by their section, and by their words. */
  quotes: z.object({ expected: count, sections: count, words: count }),
  /** Number of given citations, and how many of them were verified. */
  given: z.object({ all: count, verified: count }),
  /** Number of cited facts, how many of these were expected, and the number of expected facts. */
  facts: z.object({ cited: count, right: count, expected: count }),
  costUsd: z.number(),
  unpriced: count,
  calls: count,
  tokens: z.number(),
  /** The part of `tokens` that model-led searches used. */
  searchTokens: z.number(),
  modelMs: z.number(),
  /** Time from the brief to the answer. */
  answerMs: z.number().nullable(),
});
export type JudgedCriterion = z.infer<typeof judgedCriterionSchema>;

/** Result of one labelled case: a line of the results file. */
export const judgedCaseSchema = z.object({
  key: z.string(),
  id: z.string(),
  expected: status,
  /** null: the run ended without a verdict. */
  status: status.nullable(),
  degraded: z.boolean(),
  criteria: z.array(judgedCriterionSchema),
  /** Time from acceptance to verdict. */
  totalMs: z.number(),
});
export type JudgedCase = z.infer<typeof judgedCaseSchema>;

const outcomeSchema = z.object({ status });
/** The criteria after their review; a draft has them before it. */
const criteriaSchema = z.object({ criteria: z.array(criterionResultSchema) });

/** Returns the result of a case together with its label. */
export function toJudgedCase(
  labelled: LabelledCase,
  key: string,
  evalCase: EvalCase,
  totalMs: number,
): JudgedCase {
  const { id, expected, payload } = labelled;
  const run = evalCase.runs[0];
  const names = new Map(
    citableFacts(z.array(factSchema).parse(payload['facts'])).map((fact) => [fact.id, factName(fact.name)]),
  );
  return {
    key,
    id,
    expected: expected.status,
    totalMs,
    status: outcomeSchema.safeParse(run?.verdict?.outcome).data?.status ?? null,
    degraded: run?.verdict?.degraded ?? true,
    criteria: expected.criteria.map((criterion) => toJudgedCriterion(criterion, run, names)),
  };
}

function toJudgedCriterion(
  expected: ExpectedCriterion,
  run: RunDocument | undefined,
  names: ReadonlyMap<string, string>,
): JudgedCriterion {
  const draft = run?.artifacts.find(({ artifact, unit }) => artifact === 'draft' && unit === expected.id);
  const brief = run?.artifacts.find(({ artifact }) => artifact === 'brief');
  const decided = criteriaSchema.safeParse(run?.verdict?.outcome).data?.criteria ?? [];
  const result =
    decided.find(({ id }) => id === expected.id) ??
    criterionResultSchema.safeParse(draft?.body['answer']).data ??
    null;
  const calls = (run?.interactions ?? []).filter(({ unit }) => unit === expected.id);
  const searches = calls.filter(({ toolCallId = null }) => toolCallId !== null);
  return {
    id: expected.id,
    expected: expected.status,
    status: result?.status ?? null,
    confidence: result?.confidence ?? null,
    reasonCode: result?.reasonCode ?? null,
    iterations: result?.iterations ?? 0,
    quotes: quotesFound(expected.citations, result?.citations ?? []),
    given: citationCounts(result),
    facts: expectedCriterionFacts(expected, result, names),
    ...callSpending(calls),
    searchTokens: callSpending(searches).tokens,
    answerMs: draft && brief ? Date.parse(draft.createdAt) - Date.parse(brief.createdAt) : null,
  };
}

function citationCounts(result: CriterionResult | null): JudgedCriterion['given'] {
  const verified = result?.citations.length ?? 0;
  return { all: sum([verified, result?.refuted.length ?? 0]), verified };
}

function expectedCriterionFacts(
  { facts }: ExpectedCriterion,
  result: CriterionResult | null,
  names: ReadonlyMap<string, string>,
): JudgedCriterion['facts'] {
  const cited = new Set(
    (result?.citations ?? []).flatMap((citation) =>
      citation.kind === 'fact' ? citation.factIds.flatMap((id) => names.get(id) ?? []) : [],
    ),
  );
  const expected = new Set(facts.map(factName));
  const right = [...cited].filter((name) => expected.has(name)).length;
  return { cited: cited.size, right, expected: expected.size };
}

/**
 * Share of an expected quote's words that a citation must contain to count: quotes may start and end
 * differently.
 */
const SAME_WORDS = 0.5;

/**
 * Counts the expected quotes that were cited: by section (a verified quote of that section exists), and by
 * words (one such quote has at least half of the expected words).
 */
export function quotesFound(
  expected: ExpectedCriterion['citations'],
  verified: readonly VerifiedCitation[],
): { expected: number; sections: number; words: number } {
  const quotes = verified.flatMap((citation) =>
    citation.kind === 'quote'
      ? [{ section: normalText(citation.title), words: textWords(citation.quote) }]
      : [],
  );
  const matches = expected.map(({ section, quote }) => {
    const own = quotes.filter((one) => one.section === normalText(section));
    const expectedWords = textWords(quote);
    return {
      section: own.length > 0,
      words: own.some(({ words }) => shareIn(expectedWords, words) >= SAME_WORDS),
    };
  });
  return {
    expected: expected.length,
    sections: matches.filter(({ section }) => section).length,
    words: matches.filter(({ words }) => words).length,
  };
}

function textWords(text: string): string[] {
  return normalText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

// A word that occurs twice in the expected quote must occur twice in the citation.
function shareIn(expectedWords: readonly string[], quotedWords: readonly string[]): number {
  const remainingWords = [...quotedWords];
  const there = expectedWords.filter((word) => {
    const at = remainingWords.indexOf(word);
    if (at >= 0) remainingWords.splice(at, 1);
    return at >= 0;
  });
  return expectedWords.length === 0 ? 0 : there.length / expectedWords.length;
}

import { fieldProblems, type ReadAnswer } from '@casefile/contracts';
import { plainText } from '../../plain-text.js';
import type { DraftParts, ReasonInput } from '../../strategy.js';
import { jsonInAnswer } from '../../json-in-answer.js';
import { matchesOf } from './matches.js';
import { distinctFlags } from './red-flags.js';
import { screeningAnswerSchema, type ScreeningAnswer } from './screening-answer.js';

/** Reads an answer of a model into a draft, or says in a sentence what is wrong with it. S3-30. */
export function readAnswer(content: string, input: ReasonInput): ReadAnswer<DraftParts> {
  const found = jsonInAnswer(content);
  if (found === null) return { problem: 'The answer holds no JSON object.' };
  const parsed = screeningAnswerSchema.safeParse(found);
  if (parsed.success) return { value: draftOf(parsed.data, input) };
  const problems = fieldProblems(parsed.error).map(({ path, message }) => `${path || 'answer'}: ${message}`);
  return { problem: `The answer does not have the asked shape: ${problems.slice(0, 5).join('; ')}.` };
}

function draftOf(answer: ScreeningAnswer, input: ReasonInput): DraftParts {
  const reasoning = plainText(answer.reasoning.trim());
  const { patterns, citations, unknown } = patternsOf(answer.matchedPatterns ?? [], input);
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
function patternsOf(named: (string | number)[], { evidence }: ReasonInput) {
  const known = matchesOf(evidence);
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

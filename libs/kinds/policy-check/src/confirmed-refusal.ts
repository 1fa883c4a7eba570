import {
  sentencesIn,
  type CriterionResult,
  type CriterionStatus,
  type Draft,
  type ExaminedClaim,
  type Review,
} from '@casefile/contracts';
import { inLine } from '@casefile/pipeline/plain-text';
import { holdsQuote, limitsIn, normalWords } from '@casefile/pipeline/reading/index';
import { FACTS, sectionsIn } from './read-sections.js';
import { contentWords, hasWord } from './rules/content-words.js';

/**
 * Returns one sentence about why a refusal is not confirmed; null: it is confirmed, or the answer is none. A refusal
 * is confirmed by rules that reach it, or by an examination whose quote supports it and shares its subject and its
 * quantity. The person concerned bears the harm of a wrong refusal, so a model's confidence confirms nothing.
 */
export function unconfirmedRefusal(
  result: CriterionResult,
  {
    draft,
    review: { crossExamination },
  }: { draft: Pick<Draft, 'answer'>; review: Pick<Review, 'crossExamination'> },
  ruled: CriterionStatus | null,
): string | null {
  if (result.status !== 'NOT_MET' || ruled === 'NOT_MET') return null;
  const claim = crossExamination?.claims.find(({ answer }) => answer === 'supports');
  if (claim === undefined || claim.quote === null)
    return 'Neither the rules nor a second model question confirmed the refusal.';
  const words = `“${inLine(claim.quote.words, 200)}” [${claim.quote.source}]`;
  if (!sharesSubject(sentenceOfQuote(draft, claim.quote), result))
    return `The second model question confirmed the refusal by ${words}, which is about another subject.`;
  if (!sharesQuantity(claim.quote, result))
    return `The second model question confirmed the refusal by ${words}, which states another quantity.`;
  return null;
}

const segments = new Intl.Segmenter('en', { granularity: 'sentence' });
type Quote = NonNullable<ExaminedClaim['quote']>;

function sharesSubject(sentence: string, { text, citations }: CriterionResult): boolean {
  const facts = citations.flatMap((one) => (one.kind === 'fact' ? [one.fact, String(one.value)] : []));
  const subject = contentWords([text, ...facts].join(' ').replaceAll('_', ' '));
  const quoted = contentWords(sentence.replaceAll('_', ' '));
  return quoted.some((word) => hasWord(subject, word));
}

// The whole sentence names the subject, which a quoted part of it may leave out.
function sentenceOfQuote(draft: Pick<Draft, 'answer'>, { words, source }: Quote): string {
  const text = sectionsIn(draft).find(({ name }) => name === source)?.text ?? '';
  const sentences = [...sentencesIn(text, segments)].map(({ segment }) => segment);
  return sentences.find((sentence) => holdsQuote(sentence, words)) ?? words;
}

// The quote of a policy must have the figure by which the answer refuses. A quote of the facts has a cited value.
function sharesQuantity({ words, source }: Quote, { citations, rationale }: CriterionResult): boolean {
  const figures = (texts: readonly string[]) =>
    texts.flatMap((text) => limitsIn(text, 'en').map(({ figure }) => figure));
  const quoted = figures([words]);
  const values = citations.flatMap((one) => (one.kind === 'fact' ? [String(one.value)] : []));
  if (source === FACTS) return values.some((value) => holdsWord(words, value));
  const limits = figures(citations.flatMap((one) => (one.kind === 'quote' ? [one.quote] : [])));
  const stated = [...limits, ...figures([rationale])];
  if (quoted.length === 0) return limits.length === 0;
  return quoted.some((figure) => stated.includes(figure));
}

function holdsWord(text: string, sought: string): boolean {
  const [words, all] = [normalWords(sought), normalWords(text)];
  return words.length > 0 && words.every((word) => all.includes(word));
}

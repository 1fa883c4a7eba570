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
import { hasTerm, termsIn } from './claims/terms.js';

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
  const sentence = sentenceOfQuote(draft, claim.quote);
  if (!sharesSubject(`${claim.quote.source} ${sentence}`, result))
    return `The second model question confirmed the refusal by ${words}, which is about another subject.`;
  if (!sharesQuantity(claim.quote, sentence, result))
    return `The second model question confirmed the refusal by ${words}, which states another quantity.`;
  return null;
}

const segments = new Intl.Segmenter('en', { granularity: 'sentence' });
type Quote = NonNullable<ExaminedClaim['quote']>;

function sharesSubject(sentence: string, { text, rationale, citations }: CriterionResult): boolean {
  const facts = citations.flatMap((one) => (one.kind === 'fact' ? [one.fact, String(one.value)] : []));
  const subject = termsIn([text, rationale, ...facts].join(' ').replaceAll('_', ' '));
  return termsIn(sentence.replaceAll('_', ' ')).some((term) => hasTerm(subject, term));
}

// The whole sentence names the subject, which a quoted part of it may leave out.
function sentenceOfQuote(draft: Pick<Draft, 'answer'>, { words, source }: Quote): string {
  const text = sectionsIn(draft).find(({ name }) => name === source)?.text ?? '';
  const sentences = [...sentencesIn(text, segments)].map(({ segment }) => segment);
  return sentences.find((sentence) => holdsQuote(sentence, words)) ?? words;
}

// The quote of a policy must have the figure by which the answer refuses. A quote of the facts has a cited value.
function sharesQuantity(
  { words, source }: Quote,
  sentence: string,
  { citations, rationale }: CriterionResult,
): boolean {
  const figures = (texts: readonly string[]) =>
    texts.flatMap((text) => limitsIn(text, 'en').map(({ figure }) => figure));
  const quoted = figures([words]);
  const values = citations.flatMap((one) => (one.kind === 'fact' ? [String(one.value)] : []));
  if (source === FACTS) return values.some((value) => holdsWord(words, value));
  const limits = figures(citations.flatMap((one) => (one.kind === 'quote' ? [one.quote] : [])));
  const stated = [...limits, ...figures([rationale])];
  // A sentence without a figure states no quantity. A quote must not leave out the figure of its sentence.
  if (quoted.length === 0) return limits.length === 0 || figures([sentence]).length === 0;
  return quoted.some((figure) => stated.includes(figure));
}

function holdsWord(text: string, sought: string): boolean {
  const [words, all] = [normalWords(sought), normalWords(text)];
  return words.length > 0 && words.every((word) => all.includes(word));
}

import { factName, sentencesIn, type CitableFact, type CriterionResult } from '@casefile/contracts';
import { normalQuote, normalText } from '@casefile/pipeline/reading/index';
import type { ReviewInput } from '@casefile/pipeline/stage-parts';
import { bundleOf } from '../case-bundle.js';
import { resultToExamine } from '../examine.js';
import { sectionsIn, type NamedSection } from '../read-sections.js';
import { termsIn } from './terms.js';

/** A sentence of a section of which the answer quotes at least a part. */
export interface CitedSentence {
  section: NamedSection;
  text: string;
  /** Quotes with words of the sentence. */
  quotes: string[];
}

/** An answer with everything that its claims are compared with. */
export interface AnswerGround {
  status: 'MET' | 'NOT_MET';
  /** The criterion as it was asked. */
  asked: string;
  rationale: string;
  /** Title of the policy. */
  title: string;
  language: string;
  sections: readonly NamedSection[];
  sentences: readonly CitedSentence[];
  /** Facts of the case, at most 200, with at most 400 characters of each value. */
  facts: readonly CitableFact[];
  /** Terms of the names and values of the facts, of the cited sentences, and of the criterion. */
  terms: {
    facts: readonly string[];
    values: readonly string[];
    cited: readonly string[];
    asked: readonly string[];
  };
  result: CriterionResult;
}

const segments = new Intl.Segmenter('en', { granularity: 'sentence' });

const MOST_FACTS = 200;
const VALUE_READ = 400;
const shortened = (fact: CitableFact): CitableFact =>
  typeof fact.value === 'string' ? { ...fact, value: fact.value.slice(0, VALUE_READ) } : fact;

/** Returns the sentences of a section. */
export const sentencesOf = ({ text }: Pick<NamedSection, 'text'>): string[] =>
  [...sentencesIn(text, segments)].map(({ segment }) => segment.trim()).filter((one) => one !== '');

/** Returns the decided answer of a model with its sections and facts; null: there is none. */
export function answerGround(input: ReviewInput): AnswerGround | null {
  const result = resultToExamine(input);
  if (result === null || result.status === 'UNCERTAIN') return null;
  const { facts, policy } = bundleOf(input.brief);
  const sections = sectionsIn(input.draft);
  const quotes = result.citations.flatMap((one) => (one.kind === 'quote' ? [one] : []));
  const sentences = sections.flatMap((section) => {
    const own = quotes.filter(({ nodeId }) => nodeId === section.nodeId).map(({ quote }) => quote);
    return sentencesOf(section).flatMap((text): CitedSentence[] => {
      const normal = normalText(text);
      const inIt = own.filter((quote) => {
        const sought = normalQuote(quote);
        return normal.includes(sought) || sought.includes(normal);
      });
      return inIt.length === 0 ? [] : [{ section, text, quotes: inIt }];
    });
  });
  const read = facts.slice(0, MOST_FACTS).map(shortened);
  return {
    status: result.status,
    asked: result.text,
    rationale: result.rationale,
    title: policy.title,
    language: policy.language,
    sections,
    sentences,
    facts: read,
    terms: {
      facts: factTerms(read),
      values: valueTerms(read),
      cited: termsIn(sentences.map(({ text }) => text).join('\n')),
      asked: termsIn(result.text),
    },
    result,
  };
}

/** Returns the terms of the names of facts. */
export const nameTerms = (facts: readonly Pick<CitableFact, 'name'>[]): string[] =>
  termsIn(facts.map(({ name }) => factName(name).replaceAll('_', ' ')).join('\n'));

/** Returns the terms of the values of facts. */
export const valueTerms = (facts: readonly Pick<CitableFact, 'value'>[]): string[] =>
  termsIn(facts.map(({ value }) => String(value)).join('\n'));

/** Returns the terms of the names and values of facts. */
export const factTerms = (facts: readonly Pick<CitableFact, 'name' | 'value'>[]): string[] => [
  ...nameTerms(facts),
  ...valueTerms(facts),
];

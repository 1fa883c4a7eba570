import { sentencesIn, type Draft, type VerifiedCitation } from '@casefile/contracts';
import { holdsQuote, normalQuote, normalText } from '@casefile/pipeline/reading/index';
import { sectionsIn } from './read-sections.js';

/** A verified quote in the whole sentence of its section. */
export interface QuotedSentence {
  /** Name of the section. */
  name: string;
  quote: string;
  sentence: string;
  /** Words of the sentence before and after the quote, in normal form. */
  before: string;
  behind: string;
}

const segments = new Intl.Segmenter('en', { granularity: 'sentence' });

/**
 * Returns the sentence of each quote. A quote of several sentences returns each of them, with nothing before
 * or after.
 */
export function quotedSentences(
  draft: Pick<Draft, 'answer'>,
  citations: readonly VerifiedCitation[],
): QuotedSentence[] {
  const sections = new Map(sectionsIn(draft).map((section) => [section.nodeId, section]));
  return citations.flatMap((citation): QuotedSentence[] => {
    const section = citation.kind === 'quote' ? sections.get(citation.nodeId) : undefined;
    if (citation.kind !== 'quote' || section === undefined) return [];
    const { quote } = citation;
    const { name, text } = section;
    const sentences = [...sentencesIn(text, segments)].map(({ segment }) => segment.trim());
    const sought = normalQuote(quote);
    const [whole] = sentences.filter((sentence) => holdsQuote(sentence, quote));
    if (whole !== undefined) {
      const normal = normalText(whole);
      const at = normal.indexOf(sought);
      return [
        {
          name,
          quote,
          sentence: whole,
          before: normal.slice(0, at),
          behind: normal.slice(at + sought.length),
        },
      ];
    }
    const parts = sentences.filter((sentence) => sentence !== '' && holdsQuote(quote, sentence));
    return parts.map((sentence) => ({ name, quote, sentence, before: '', behind: '' }));
  });
}

import type { VerifiedCitation } from '@casefile/contracts';
import { normalText } from '@casefile/pipeline';
import type { ExpectedCriterion } from './labelled-case.js';

/** Of an expected quote's words, those that one quote must have to count as the same: who quotes chooses where to begin and end. */
const SAME_WORDS = 0.5;

/**
 * How many of the expected quotes were cited: by their section (some quote of that section holds), and by their words (one
 * such quote has at least half of them).
 */
export function quotesFound(
  expected: ExpectedCriterion['citations'],
  verified: readonly VerifiedCitation[],
): { expected: number; sections: number; words: number } {
  const quotes = verified.flatMap((citation) =>
    citation.kind === 'quote'
      ? [{ section: normalText(citation.title), words: wordsOf(citation.quote) }]
      : [],
  );
  const found = expected.map(({ section, quote }) => {
    const own = quotes.filter((one) => one.section === normalText(section));
    const wanted = wordsOf(quote);
    return { section: own.length > 0, words: own.some(({ words }) => shareIn(wanted, words) >= SAME_WORDS) };
  });
  return {
    expected: expected.length,
    sections: found.filter(({ section }) => section).length,
    words: found.filter(({ words }) => words).length,
  };
}

function wordsOf(text: string): string[] {
  return normalText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

// A word that comes twice must be there twice.
function shareIn(wanted: readonly string[], given: readonly string[]): number {
  const left = [...given];
  const there = wanted.filter((word) => {
    const at = left.indexOf(word);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return wanted.length === 0 ? 0 : there.length / wanted.length;
}

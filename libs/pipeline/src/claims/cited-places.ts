import { claimLanguage, type ClaimLanguage } from './claim-language.js';
import { placesOf, segmentsOf, type CitedSpan } from './segments.js';

/** A cited source, cut into parts, with the parts that hold the quote. */
export interface CitedPlaces extends CitedSpan {
  segments: readonly string[];
  /** Positions of the parts with the quote. */
  places: readonly number[];
  language: ClaimLanguage;
}

/**
 * Returns cited sources in parts. Sources of which no part holds the quote are left out. Lines have few function words,
 * so lines that look like English are read in the language of the claim as well.
 */
export const citedPlaces = (
  spans: readonly CitedSpan[],
  ofClaim: ClaimLanguage | null = null,
): CitedPlaces[] =>
  spans.flatMap((span) => {
    const segments = segmentsOf(span);
    const places = placesOf(segments, span.quote);
    if (places.length === 0) return [];
    return [{ ...span, segments, places, language: languageOf(span, ofClaim) }];
  });

function languageOf({ sort, text }: CitedSpan, ofClaim: ClaimLanguage | null): ClaimLanguage {
  const own = claimLanguage(text);
  const isTechnical = sort === 'lines' && !own.isUnread && (own.code === null || own.code === 'en');
  // English is read in every language.
  return isTechnical && ofClaim !== null && ofClaim.code !== null ? ofClaim : own;
}

/** Returns the parts of a source with the quote. */
export const citedSegments = ({ segments, places }: CitedPlaces): string[] =>
  places.map((at) => segments[at]!);

import { claimLanguage, type ClaimLanguage } from './claim-language.js';
import { placesOf, segmentsOf, type CitedSpan } from './segments.js';

/** A cited source, cut into parts, with the parts that hold the quote. */
export interface CitedPlaces extends CitedSpan {
  segments: readonly string[];
  /** Positions of the parts with the quote. */
  places: readonly number[];
  language: ClaimLanguage;
}

/** Returns cited sources in parts. Sources of which no part holds the quote are left out. */
export const citedPlaces = (spans: readonly CitedSpan[]): CitedPlaces[] =>
  spans.flatMap((span) => {
    const segments = segmentsOf(span);
    const places = placesOf(segments, span.quote);
    if (places.length === 0) return [];
    return [{ ...span, segments, places, language: claimLanguage(span.text) }];
  });

/** Returns the parts of a source with the quote. */
export const citedSegments = ({ segments, places }: CitedPlaces): string[] =>
  places.map((at) => segments[at]!);

/** A masked range of a text: the first character, and the one after the last. */
export type Range = readonly [from: number, to: number];

/** Replacement of a secret. It is always the same, so that the same text has the same hash. */
export const MASK = '[masked]';

/**
 * Masks these ranges of a text. Overlapping and adjacent ranges get one mask. @returns the text and the
 * number of masks.
 */
export function withoutRanges(text: string, ranges: readonly Range[]): { text: string; found: number } {
  const sorted = ranges.filter(([from, to]) => to > from).sort((a, b) => a[0] - b[0]);
  let masked = '';
  let done = 0;
  let found = 0;
  for (const [from, to] of sorted) {
    if (from > done || found === 0) {
      masked += text.slice(done, from) + MASK;
      found += 1;
    }
    done = Math.max(done, to);
  }
  return { text: masked + text.slice(done), found };
}

/** What is masked of a text: from this character on, up to that one. */
export type Range = readonly [from: number, to: number];

/** What stands in the place of a secret: always the same, so that the same text has the same hash. */
export const MASK = '[masked]';

/** The text with these ranges masked; what overlaps or touches is masked once. @returns also how many masks there are. */
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

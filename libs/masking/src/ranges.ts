/** A masked range of a text: the first character, and the one after the last. */
export type Range = readonly [from: number, to: number];

/** Replacement of a secret. It is always the same, so that the same text has the same hash. */
export const MASK = '[masked]';

/** Returns ranges in their order, each overlapping or adjacent group as one range. */
export function mergedRanges(ranges: readonly Range[]): Range[] {
  const apart: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = apart.at(-1);
    if (last === undefined || from > last[1]) apart.push([from, to]);
    else last[1] = Math.max(last[1], to);
  }
  return apart;
}

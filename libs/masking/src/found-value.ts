/** One value in a text. */
export interface FoundValue {
  from: number;
  to: number;
  /** Class in capitals, or the name of a pattern. */
  label: string;
  /** The value without its spelling: equal for all spellings of one value. */
  plain: string;
}

/**
 * Returns a text with each found value replaced.
 * @param found in the order of the text, without overlaps.
 */
export function replaceValues(
  text: string,
  found: readonly FoundValue[],
  replacement: (value: FoundValue) => string,
): string {
  let replaced = '';
  let done = 0;
  for (const value of found) {
    replaced += text.slice(done, value.from) + replacement(value);
    done = value.to;
  }
  return replaced + text.slice(done);
}

/** Placeholders of intake for a secret and for a one-time code of a stated length, with `a` if the code has letters. */
const PLACEHOLDER = /\[(?:masked|code:(\d{1,2})(a?))\]/g;
/** Digits for a secret, of the length of its placeholder. */
const DIGITS = '00000000';

/**
 * Returns the text with digits in place of masked values, at the same length. Parsers of links and words then
 * read `https://[masked]@host/` as a link and a one-time code as a code of its length, with blanks after it.
 */
export function withDigitsForMasks(text: string): string {
  return text.replaceAll(PLACEHOLDER, (written, length?: string, letters?: string) => {
    if (length === undefined) return DIGITS;
    const code = `${letters === 'a' ? 'A' : ''}${DIGITS}`.slice(0, Number(length));
    return code.padEnd(written.length);
  });
}

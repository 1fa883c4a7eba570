/** Text by which intake replaces a secret, and digits of the same length. */
const MASKED = '[masked]';
const DIGITS = '00000000';

/**
 * Returns the text with digits in place of masked values, at the same length. Parsers of links and words then
 * read `https://[masked]@host/` as a link and a masked one-time code as a code.
 */
export function withDigitsForMasks(text: string): string {
  return text.replaceAll(MASKED, DIGITS);
}

import { firstCharacters } from '@casefile/contracts';

/**
 * Returns text from outside in a form that Postgres can store as JSON: without NUL, and with a replacement
 * sign for each half of a surrogate pair.
 */
export function plainText(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Returns one line of at most `max` code points, so that a value from outside cannot add lines. */
export function inLine(text: string, max = 300): string {
  const line = plainText(text.slice(0, max * 8))
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
  return firstCodePoints(line, max);
}

/** Returns the first `max` code points, never half a character; `…` marks a cut. */
export function firstCodePoints(text: string, max: number): string {
  const head = firstCharacters(text, max);
  return head.length < text.length ? `${head}…` : text;
}

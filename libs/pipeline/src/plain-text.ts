import { firstCharacters } from '@casefile/contracts';

/**
 * Text from outside as it may stand on the record: without NUL, with a replacement sign for each half of a
 * surrogate pair (neither can be stored as JSON in Postgres).
 */
export function plainText(text: string): string {
  return text.replaceAll('\u0000', '').replace(/\p{Surrogate}/gu, '\ufffd');
}

/** One line of at most `max` code points: a value from outside must not make lines of its own. */
export function inLine(text: string, max = 300): string {
  const line = plainText(text.slice(0, max * 8))
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
  return firstCodePoints(line, max);
}

/** The first `max` code points, never half a character; `…` says that there was more. */
export function firstCodePoints(text: string, max: number): string {
  const head = firstCharacters(text, max);
  return head.length < text.length ? `${head}…` : text;
}

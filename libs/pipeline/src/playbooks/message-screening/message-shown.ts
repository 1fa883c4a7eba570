import { markHidden } from '../../entities/hidden-characters.js';
import { plainText } from '../../plain-text.js';

/** Code points of a message that a model is shown: of its beginning, and of its end when it is longer. */
const HEAD = 3_000;
const TAIL = 1_000;

/**
 * A message as a model is shown it: hidden characters made visible, and of a very long one beginning and end, so that
 * what is asked for cannot be pushed out of sight by padding.
 */
export function messageShown(text: string): string {
  const plain = plainText(text).trim();
  if (plain === '') return '(no text)';
  // Two UTF-16 units a code point at most: this is enough of either end without taking all of a long text apart.
  if (plain.length <= HEAD + TAIL) return markHidden(plain);
  const head = Array.from(plain.slice(0, HEAD * 2)).slice(0, HEAD);
  const tail = Array.from(plain.slice(-TAIL * 2)).slice(-TAIL);
  const left = plain.length - head.join('').length - tail.join('').length;
  if (left <= 0) return markHidden(plain);
  return markHidden(
    `${plainText(head.join(''))}\n[... ${left} characters left out ...]\n${plainText(tail.join(''))}`,
  );
}

import { createHash } from 'node:crypto';

/** Where one word leaves its mark: more places make chance likeness of different words rarer. */
const PLACES_A_WORD = 8;

/**
 * A vector of length one, made from the words of a text by hashing: the same for the same words in any order and
 * case, alike for texts that share words. A text without words gets the first axis.
 */
export function embed(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) mark(vector, word);
  const length = Math.hypot(...vector);
  if (length === 0) vector[0] = 1;
  return length === 0 ? vector : vector.map((value) => value / length);
}

function mark(vector: number[], word: string): void {
  const digest = createHash('sha256').update(word).digest();
  for (let place = 0; place < PLACES_A_WORD; place += 1) {
    const drawn = digest.readUInt32BE(place * 4);
    const at = (drawn >>> 1) % vector.length;
    vector[at] = (vector[at] ?? 0) + (drawn % 2 === 0 ? 1 : -1);
  }
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** Returns the words of a text in any script, in lower case. */
export function wordsOf(text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
}

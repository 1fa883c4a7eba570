/** Values that a planted claim may have been given: names, times, dates, and numbers with the word behind them. */
const VALUES = [
  /\p{Script=Latin}[\p{Script=Latin}\p{N}]*(?:[-_.][\p{Script=Latin}\p{N}]+)+/gu,
  /\p{Lu}[\p{L}\p{N}]{2,}/gu,
  /\d[\d.,:-]*\d|\d/gu,
  /\d[\d.,]*\s?(?:[\p{Script=Han}%]|\p{Script=Latin}{1,2})/gu,
];

const SENTENCE_END = /\n|(?<=[。！？])|(?<=[.!?;])\s+/u;

/**
 * Returns whether a claim of a cross-examination was planted: it has a value that occurs nowhere else in the prompt,
 * or differs from a line or sentence of a source by one word. A claim of a draft in a test must not have such a value.
 */
export function isPlanted(claim: string, prompt: string): boolean {
  const text = prompt.toLowerCase();
  const values = VALUES.flatMap((form) => claim.match(form) ?? []).map((value) => value.toLowerCase());
  if (values.some((value) => text.split(value).length <= 2)) return true;
  const own = claim.split(/\s+/);
  return prompt.split(SENTENCE_END).some((line) => {
    const words = line.trim().split(/\s+/);
    if (words.length < 4) return false;
    return words.filter((word, at) => own[own.length - words.length + at] !== word).length === 1;
  });
}

/** Values that a planted claim may have been given: names, times, dates, and numbers with the word behind them. */
const VALUES = [
  /(?<![\p{L}\p{N}_.-])\p{Script=Latin}[\p{Script=Latin}\p{N}]{0,60}(?:[-_.][\p{Script=Latin}\p{N}]{1,60}){1,9}/gu,
  /(?<=\p{Ll},? )\p{Lu}[\p{L}\p{N}]{2,60}/gu,
  /\d{1,20}(?:[.,:-]\d{1,20}){0,9}(?:\s?(?:[\p{Script=Han}%]|\p{Script=Latin}{1,2}))?/gu,
];
/** Fewest words of a line that a claim may be made from. */
const LEAST_WORDS = 4;

const SENTENCE_END = /\n|(?<=[。！？])|(?<=[.!?;])\s+/u;

/**
 * Guesses whether a claim of a cross-examination was planted: it has a value that occurs nowhere else in the prompt,
 * or differs from a line or sentence of a source by one word. An examiner that is played or scripted needs no more skill.
 */
export function isPlanted(claim: string, prompt: string): boolean {
  const text = prompt.toLowerCase();
  const values = VALUES.flatMap((form) => claim.match(form) ?? []).map((value) => value.toLowerCase());
  if (values.some((value) => text.split(value).length <= 2)) return true;
  const own = claim.split(/\s+/);
  return prompt.split(SENTENCE_END).some((line) => {
    const words = line.trim().split(/\s+/);
    const from = own.length - words.length;
    return words.length >= LEAST_WORDS && words.filter((word, at) => own[from + at] !== word).length === 1;
  });
}

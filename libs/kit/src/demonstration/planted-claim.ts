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
 * or differs from a line or sentence of a source by one word. This is enough for a simulated or scripted examiner.
 */
export function isPlanted(claim: string, prompt: string): boolean {
  const [text, stated] = [prompt.toLowerCase(), claim.toLowerCase()];
  const values = VALUES.flatMap((form) => claim.match(form) ?? []).map((value) => value.toLowerCase());
  // A value may stand twice in the claim itself.
  if (values.some((value) => countOf(text, value) <= countOf(stated, value))) return true;
  const own = claim.split(/\s+/);
  return prompt.split(SENTENCE_END).some((line) => {
    const words = line.trim().split(/\s+/);
    const from = own.length - words.length;
    return words.length >= LEAST_WORDS && words.filter((word, at) => own[from + at] !== word).length === 1;
  });
}

/** Returns how often a text has a value. A number within a longer one does not count. */
function countOf(text: string, value: string): number {
  const isNumber = /^\d/.test(value);
  let count = 0;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
    if (!isNumber || !/\d/.test(text[at - 1] ?? '')) count += 1;
  return count;
}

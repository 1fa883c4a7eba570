/** Share of kana or hangul among the letters below which they are a name in a Chinese question. */
const LEAST_SHARE = 0.1;

/**
 * Returns the language in which a question is answered, by its script: Chinese for Han characters, English
 * for all others. A question with kana or hangul is Japanese or Korean. A question in another language may
 * contain a Chinese name.
 */
export function questionLanguage(query: string): 'zh' | 'en' {
  const han = textCount(query, /\p{Script=Han}/gu);
  const others = textCount(query, /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu);
  if (han === 0 || others >= LEAST_SHARE * (han + others)) return 'en';
  // Chinese questions often contain names of products and companies, but no foreign words in lower case.
  const words = textCount(query, /(?<![\p{L}\p{N}])\p{Ll}[\p{Ll}\p{M}]*(?![\p{L}\p{N}])/gu);
  return words > han ? 'en' : 'zh';
}

const textCount = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

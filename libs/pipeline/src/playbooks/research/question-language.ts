import type { InputReading } from '@casefile/contracts';

/** A smaller share of kana or hangul among the letters is a name in a Chinese question. */
const LEAST_SHARE = 0.1;

/**
 * Returns the language in which a question is answered, by its script: Chinese for questions in Han characters, English for all
 * others. A question with kana or hangul is Japanese or Korean, and a foreign question may contain a Chinese name.
 */
export function questionLanguage(query: string, reading: InputReading): 'zh' | 'en' {
  const han = textCount(query, /\p{Script=Han}/gu);
  if (reading === 1) return han > 0 ? 'zh' : 'en';
  const others = textCount(query, /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu);
  if (han === 0 || others >= LEAST_SHARE * (han + others)) return 'en';
  // Names of products and companies are usual in Chinese questions; words in lower case are not.
  const words = textCount(query, /(?<![\p{L}\p{N}])\p{Ll}[\p{Ll}\p{M}]*(?![\p{L}\p{N}])/gu);
  return words > han ? 'en' : 'zh';
}

const textCount = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

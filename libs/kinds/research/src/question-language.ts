import { countScripts, eastAsianLanguage } from '@casefile/pipeline/reading/index';

/** Returns the East Asian language of a question; null: it is in another one, but may contain such a name. */
export function eastAsianQuestion(query: string): 'zh' | 'ja' | 'ko' | null {
  const scripts = countScripts(query);
  // Such questions often contain names of products and companies, but no foreign words in lower case.
  const words = query.match(/(?<![\p{L}\p{N}])\p{Ll}[\p{Ll}\p{M}]*(?![\p{L}\p{N}])/gu)?.length ?? 0;
  return words > scripts.han + scripts.kana + scripts.hangul ? null : eastAsianLanguage(scripts);
}

/** Returns the language in which a question is answered: Chinese for Chinese questions, English for all others. */
export const questionLanguage = (query: string): 'zh' | 'en' =>
  eastAsianQuestion(query) === 'zh' ? 'zh' : 'en';

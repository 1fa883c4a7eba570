import { countScripts, eastAsianLanguage } from '@casefile/pipeline/reading/index';

/**
 * Returns the language in which a question is answered, by its script: Chinese for Han characters, English
 * for all others. A question with kana or hangul is Japanese or Korean. A question in another language may
 * contain a Chinese name.
 */
export function questionLanguage(query: string): 'zh' | 'en' {
  const scripts = countScripts(query);
  if (eastAsianLanguage(scripts) !== 'zh') return 'en';
  // Chinese questions often contain names of products and companies, but no foreign words in lower case.
  const words = query.match(/(?<![\p{L}\p{N}])\p{Ll}[\p{Ll}\p{M}]*(?![\p{L}\p{N}])/gu)?.length ?? 0;
  return words > scripts.han ? 'en' : 'zh';
}

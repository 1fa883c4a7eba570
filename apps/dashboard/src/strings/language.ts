import type { Strings } from './text.js';

/** Languages of the interface, as BCP 47 tags. English is the language of the source. */
export const LANGUAGES = ['en', 'zh-Hant'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Names of the languages, each in its own language. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', 'zh-Hant': '繁體中文' };

/** Strings of the languages that are loaded only if they are shown. */
const FILES: Record<Exclude<Language, 'en'>, () => Promise<Strings>> = {
  'zh-Hant': async () => (await import('./zh-hant.json', { with: { type: 'json' } })).default,
};

/** Key of the stored choice in this browser. A missing value or another text: the language of the browser. */
export const LANGUAGE_KEY = 'casefile.language';

/**
 * Returns the language to show: the chosen one, or else the first language of the browser that exists, or else
 * English.
 * @param chosen Stored choice; null: none.
 * @param preferred Languages of the browser, as BCP 47 tags.
 */
export function shownLanguage(chosen: string | null, preferred: readonly string[]): Language {
  return (
    LANGUAGES.find((one) => one === chosen) ??
    preferred.flatMap((tag) => LANGUAGES.find((one) => readsAs(tag, one)) ?? [])[0] ??
    'en'
  );
}

// A reader of `zh-HK` or `zh-TW` reads `zh-Hant`, and a reader of `zh-CN` does not.
function readsAs(tag: string, language: Language): boolean {
  const [one, other] = [new Intl.Locale(tag).maximize(), new Intl.Locale(language).maximize()];
  return one.language === other.language && one.script === other.script;
}

/** Returns the strings of a language; those of English are in the source, so there are none. */
export async function stringsOf(language: Language): Promise<Strings> {
  return language === 'en' ? {} : FILES[language]();
}

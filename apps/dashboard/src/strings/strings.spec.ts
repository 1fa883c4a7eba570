import en from './en.json' with { type: 'json' };
import { LANGUAGES, shownLanguage, stringsOf } from './language.js';
import { counted, speak, t, type Strings } from './text.js';

const placeholders = (message: string) => [...message.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe('strings of the interface', () => {
  afterEach(() => speak('en', {}));

  it.each(LANGUAGES.slice(1))(
    'S2-32 has every string in %s, with the same placeholders',
    async (language) => {
      const strings: Strings = await stringsOf(language);
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      const keys = Object.keys(en).flatMap((key) => {
        if (!key.startsWith('count.')) return [key];
        const noun = key.replace(/_(?:one|other)$/, '');
        return key.endsWith('_other') ? forms.map((form) => `${noun}_${form}`) : [];
      });
      expect(Object.keys(strings).sort()).toEqual(keys.sort());
      for (const [key, message] of Object.entries(strings)) {
        const inEnglish = en[key as keyof typeof en] ?? en[key.replace(/_\w+$/, '_other') as keyof typeof en];
        expect([key, placeholders(message)]).toEqual([key, placeholders(inEnglish)]);
      }
    },
  );

  it('S2-32 shows a missing string in English, and uses the plural forms of the language', async () => {
    expect([counted('count.verdict', 1), counted('count.verdict', 1200)]).toEqual([
      '1 verdict',
      '1,200 verdicts',
    ]);
    const { 'home.home': home, 'count.verdict_other': verdicts } = await stringsOf('zh-Hant');
    speak('zh-Hant', { 'home.home': home!, 'count.verdict_other': verdicts! });
    expect([t('home.home'), counted('count.verdict', 1)]).toEqual(['首頁', '1 個判定']);
    expect(t('home.noneWaits')).toBe('none waits');
    speak('zh-Hant', await stringsOf('zh-Hant'));
    expect(t('error.notFound', { message: 'No case has this id' })).toBe('找不到：No case has this id');
  });

  it('S2-32 shows the chosen language, or else the first one of the browser that exists', () => {
    expect(shownLanguage('zh-Hant', ['en-GB'])).toBe('zh-Hant');
    expect(shownLanguage(null, ['zh-TW', 'en'])).toBe('zh-Hant');
    expect(shownLanguage(null, ['zh-HK'])).toBe('zh-Hant');
    // Readers of simplified Chinese get their second language.
    expect(shownLanguage(null, ['zh-CN', 'en'])).toBe('en');
    expect(shownLanguage('xx', ['de-CH', 'zh-Hant', 'en'])).toBe('zh-Hant');
    expect(shownLanguage('browser', ['ko'])).toBe('en');
  });
});

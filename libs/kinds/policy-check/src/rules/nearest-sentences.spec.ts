import { whyNoneIsPlain } from './nearest-sentences.js';
import type { PolicySentence } from './sections-and-facts.js';

const sentence = (text: string) => ({ text }) as PolicySentence;

describe('S4-40 where no requirement can be read, the rationale names the reason', () => {
  it.each([
    ['| Berlin | 140 EUR |', 'en', 'is a table'],
    ['| Berlin | 140 EUR |', null, 'only if they read the language of the policy'],
    ['An account must be created within 3 working days.', 'en', 'working days'],
    ['Die Antwort erfolgt binnen 5 Werktagen.', 'de', 'working days'],
    ['The net price must not exceed 1,500 EUR.', 'en', 'a net amount'],
    ['Books must be returned within 21 days, unless the loan was renewed.', 'en', '("unless")'],
    ['The youth rate is for members under 26.', 'en', 'No requirement that was found is plainly'],
  ] as const)('%s (%s): %s', (text, language, reason) =>
    expect(whyNoneIsPlain([sentence(text)], language)).toContain(reason),
  );
});

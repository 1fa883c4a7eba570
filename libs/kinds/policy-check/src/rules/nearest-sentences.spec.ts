import { contentWords } from './content-words.js';
import { whyNoneIsPlain } from './nearest-sentences.js';
import type { PolicySentence } from './sections-and-facts.js';

const sentence = (text: string) => ({ text, section: { words: contentWords(text) } }) as PolicySentence;

describe('S4-40 where no requirement can be read, the rationale names the reason', () => {
  it.each([
    ['| Berlin | 140 EUR |', 'en', 'is a table'],
    ['| Berlin | 140 EUR |', null, 'only if they read the language of the policy'],
    ['An account must be created within 3 working days.', 'en', 'working days'],
    ['Die Antwort erfolgt binnen 5 Werktagen.', 'de', 'working days'],
    ['The net price must not exceed 1,500 EUR.', 'en', 'a net amount'],
    ['Books must be returned within 21 days, unless the loan was renewed.', 'en', '("unless")'],
    ['The youth rate is for members under 26.', 'en', 'does not have these words of the question: "book"'],
    ['Der Beitrag ist ermäßigt.', 'de', 'None of the nearest sentences plainly answers'],
    ['A book is a loan.', 'en', 'None of the nearest sentences plainly answers'],
  ] as const)('%s (%s): %s', (text, language, reason) =>
    expect(whyNoneIsPlain([sentence(text)], { question: 'Is the book allowed?', language })).toContain(
      reason,
    ),
  );

  it('by the nearest sentence, not by one that is further off', () => {
    const nearest = ['A claim is notified within 30 days.', 'It is paid within 5 working days.'].map(
      sentence,
    );
    const why = whyNoneIsPlain(nearest, {
      question: 'Does the amount for the camera stay within what is paid?',
      language: 'en',
    });
    expect(why).toBe('The nearest section does not have these words of the question: "camera", "paid".');
    expect(whyNoneIsPlain([], { question: 'Is the book allowed?', language: 'en' })).toContain('No sentence');
  });
});

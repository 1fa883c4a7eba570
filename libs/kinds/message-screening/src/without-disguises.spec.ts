import fc from 'fast-check';
import { options } from './options.js';
import { routeMessage } from './route-message.js';
import { withoutDisguises } from '@casefile/pipeline/language/without-disguises';

const textOf = (message: string) => withoutDisguises(message).text;

describe('withoutDisguises', () => {
  it.each([
    ['Cyrillic letters in Latin words', 'Vеrify yоur аccоunt nоw', 'Verify your account now'],
    ['a word wholly of them, among Latin ones', 'please рау the fee at once', 'please pay the fee at once'],
    ['Greek letters in Latin words', 'Yοur Αmazοn οrder', 'Your Amazon order'],
    ['letters drawn alike only roughly, in a mostly Latin word', 'Haгbour Mutual', 'Harbour Mutual'],
    ['letters apart', 'c l i c k  t h e  l.i.n.k', 'click  the  link'],
    ['letters apart in Devanagari', 'आ प का खाता', 'आपका खाता'],
    ['hidden characters', 'ver\u200bify your ac\u00adcount', 'verify your account'],
    ['styled letters', '𝐕𝐞𝐫𝐢𝐟𝐲 ｎｏｗ', 'Verify now'],
  ])('S3-01 looks through %s', (_what, message, expected) => {
    expect(textOf(message)).toBe(expected);
  });

  it.each([
    'Ваша карта заблокирована, срочно позвоните в банк по номеру на карте',
    'Мы сообщаем: Ваш iPhone готов, заберите его сегодня',
    'Ο λογαριασμός σας έχει κλειδωθεί',
    'I went with Anna to see a film',
  ])('S3-01 leaves honest words in their script: %s', (message) => {
    expect(withoutDisguises(message)).toEqual({ text: message, notes: [] });
  });

  it('S3-01 says by what a message was disguised, and says nothing of abbreviations and numbers', () => {
    expect(withoutDisguises('Yоur аccоunt').notes).toEqual([
      'Letters of another script stand in for Latin ones in words: 2.',
    ]);
    expect(withoutDisguises('p-r-i-z-e').notes).toEqual(['Words were written with their letters apart.']);
    expect(withoutDisguises('U.S.A. 1 2 3 4 5').notes).toEqual([]);
  });

  it('S3-01 is not blinded by thousands of hidden characters in front', () => {
    expect(textOf(`${'\u200b'.repeat(5_000)}verify`)).toBe('verify');
  });

  it.each([
    ['en', 'Yоur Hаrbоur Mutuаl аccоunt is suspеnded. Vеrify yоur dеtаils nоw'],
    ['en', 'Y o u   h a v e   w o n   a   p r i z e ,  c l a i m   i t   t o d a y'],
    ['hi-Latn', 'ааpkа khаtа bаnd hо gаyа hаi, turаnt саll kijiyе'],
  ])('S3-01 a disguised message is routed as the language it is read in: %s', async (code, text) => {
    await expect(routeMessage(text, options.read({}))).resolves.toMatchObject({
      mode: 'normal',
      language: { code },
    });
  });

  it('S3-01 does the same to the same text, whatever it is', () => {
    const letters = fc.constantFrom(...'аеоpay рс xВН щы. -7\u200b', '👍', '\ud800');
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(letters).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(text, (message) => {
        const once = textOf(message);
        expect(textOf(message)).toBe(once);
        expect(once.length).toBeLessThanOrEqual(20_000);
      }),
      { numRuns: 200 },
    );
  });
});

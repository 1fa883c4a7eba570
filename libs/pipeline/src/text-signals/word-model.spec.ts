import { statSync } from 'node:fs';
import { base64 } from '@scure/base';
import fc from 'fast-check';
import { crossValidate } from '../testing/cross-validate-words.js';
import { readLessons, trainWordModel } from '../testing/train-word-model.js';
import { heldAgainst, partRead, readTextSignals } from './read-text-signals.js';
import { tokensOf } from './tokens.js';
import { BUCKETS, featuresOf, likenessOf } from './word-model.js';
import { WORD_MODEL } from './word-model-data.js';

const lessons = readLessons(new URL('../../../../samples/', import.meta.url));
const likenessOfText = (text: string) => likenessOf(text, tokensOf(text));

describe('S1-16 the word model', () => {
  it('is what the tool makes of the labelled messages: after a change, npm run train:words', () => {
    const made = trainWordModel(lessons);
    expect(made.trainedOn).toBe(WORD_MODEL.trainedOn);
    // Another processor may round the last digit of a logarithm otherwise.
    const [ours, theirs] = [made, WORD_MODEL].map(
      ({ weights }) => new Int8Array(base64.decode(weights).buffer),
    );
    expect(theirs).toHaveLength(BUCKETS);
    const most = ours?.reduce((far, weight, i) => Math.max(far, Math.abs(weight - (theirs?.[i] ?? 128))), 0);
    expect(most).toBeLessThanOrEqual(1);
    expect(made.bias).toBeCloseTo(WORD_MODEL.bias, 3);
    expect(made.step).toBeCloseTo(WORD_MODEL.step, 3);
  });

  it('learns from no set that is kept for measuring, and stays small', () => {
    expect(new Set(lessons.filter(({ share }) => share === 1).map(({ id }) => id[0]))).toEqual(
      new Set(['m', 's', 'd']),
    );
    expect(statSync(new URL('./word-model-data.ts', import.meta.url)).size).toBeLessThan(150_000);
  });

  it('dismisses few scams and keeps few harmless messages of folds that it has not learned from', () => {
    const judged = crossValidate(lessons, 2);
    const share = (isScam: boolean, isDismissed: boolean) => {
      const own = judged.filter((one) => one.isScam === isScam);
      return own.filter((one) => one.isDismissed === isDismissed).length / own.length;
    };
    expect(judged.length).toBeGreaterThan(900);
    expect(share(true, true)).toBeLessThan(0.02);
    expect(share(false, false)).toBeLessThan(0.12);
  });

  it.each([
    ['the parcel', null],
    ['ok', null],
    ['Uw rekening wordt vandaag geblokkeerd, klik op de link', null],
    ['您的账户将被冻结，请点击链接', null],
  ])('says nothing of too few words or of a language that it has not learned: %s', (text, likeness) => {
    expect(likenessOfText(text)).toBe(likeness);
    expect(readTextSignals(text).likeness).toBe(likeness);
  });

  it.each([
    ['Good news, our tutor team doubles savings in a week, reply YES and I add you to the group', true],
    ['मेरे ग्रुप में जुड़िए, रोज़ का मुनाफा पक्का है, पैसा दोगुना', true],
    ['group join karo, roz ka profit pakka hai, paisa double', true],
    ['Running ten minutes late, can you start the rice and feed the cat?', false],
    ['मैं दस मिनट में घर पहुँच रहा हूँ, चावल चढ़ा देना', false],
    ['main das minute me ghar aa raha hu, chawal chadha dena', false],
  ])('tells what it has not seen: %s', (text, isLikeScams) => {
    expect((likenessOfText(text) ?? 0.5) > 0.5).toBe(isLikeScams);
  });

  it('is a hundredth from 0 to 1, the same for the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const likeness = likenessOfText(text);
        expect(likenessOfText(text)).toBe(likeness);
        if (likeness === null) return;
        expect(likeness).toBeGreaterThanOrEqual(0);
        expect(likeness).toBeLessThanOrEqual(1);
        expect(Math.round(likeness * 100) / 100).toBe(likeness);
      }),
    );
  });

  it('sees no more of a text than is read, and of a long word its beginning', () => {
    const featuresIn = (text: string) => featuresOf(partRead(text), tokensOf(partRead(text))).length;
    expect(featuresIn('pay now please '.repeat(50_000))).toBe(featuresIn('pay now please '.repeat(5_000)));
    expect(featuresIn('xy'.repeat(3_000))).toBeLessThan(100);
    expect(featuresIn('x*'.repeat(3_000))).toBeLessThan(3_000);
  });

  it.each(['stranger', 'investment', 'account_lure'])('harmless words outweigh no sign of %s', (kind) => {
    const signals = [{ kind, words: ['hello'], language: 'en' }];
    const found = { signals, notes: [], legitimacy: [], weight: 0.5, isRead: true };
    expect(heldAgainst(0, found)).toEqual({ ...found, likeness: 0 });
  });

  it.each([
    [0.24, 0.5, true],
    [0.25, 0.5, false],
    [0.11, 1.5, true],
    [0.12, 1.5, false],
    [0, 2, false],
    [null, 0.5, false],
  ])('a likeness of %s outweighs signs of weight %s: %s', (likeness, weight, isOutweighed) => {
    const sign = { kind: 'asks_money', words: ['pay'], language: 'en' };
    const found = { signals: [sign], notes: [], legitimacy: [], weight, isRead: true };
    expect(heldAgainst(likeness, found)).toEqual({
      ...found,
      likeness,
      ...(isOutweighed ? { signals: [], notes: [sign] } : {}),
    });
  });
});

import fc from 'fast-check';
import { PERSONAL_DATA, type Masking } from '@casefile/contracts';
import { findPersonalData, maskSecrets } from './index.js';
import { flatMatches, inTurns, type Steps } from './pieces.js';
import { maskedText, spellingsByWay } from './testing/spellings.js';

/** Does all steps without a pause. */
function done<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const TEXT = fc
  .array(fc.constantFrom('a', 'B', '1', ' ', '-', '.', '@', '\n', '😀', 'é', '中', '\u200b', '\ud800'), {
    maxLength: 200,
  })
  .map((parts) => parts.join(''));
const PATTERNS = [
  /(?<![a-z])a(?=1)/gu,
  /\d+(?:[ .-]\d+)*/g,
  /[^\0-\x7f]{1,8}/gu,
  /\b(?:a|B)[ -]{0,4}\d/gi,
  /(?:^|\s)a[^\s]{0,4}$/g,
];

describe('S2-48 a long text is searched in pieces', () => {
  it('with the matches of the whole text', () => {
    fc.assert(
      fc.property(
        TEXT,
        fc.constantFrom(...PATTERNS),
        fc.integer({ min: 1, max: 40 }),
        (text, pattern, piece) => {
          const whole = [...text.matchAll(pattern)].map(({ 0: match, index }) => [index, match]);
          const pieces = done(
            flatMatches(text, pattern, ([match], index) => [[index, match]], { reach: 16, piece }),
          );
          expect(pieces).toEqual(whole);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('and a value is found in every place of it, also between two pieces', async () => {
    const size = 64 * 1024;
    // A line of its own, so that the text around it is not part of the value.
    const fill = (length: number) =>
      '今天天气很好，我们去公园。\n'.repeat(length).slice(0, length - 1) + '\n';
    for (const { text } of spellingsByWay().filter((_, i) => i % 180 === 0)) {
      const alone = await maskedText(text);
      for (const before of [size - 5, size - 1]) {
        const masked = await maskedText(`${fill(before)}${text}\n${fill(9_000)}`);
        expect(masked).toBe(`${fill(before)}${alone}\n${fill(9_000)}`);
      }
    }
  }, 120_000);

  it('and other work has its turn between the pieces', async () => {
    const text = '您的账户已被冻结，请立即联系客服处理。密码：x7Kp9q2L，电话 13912345678。\n'.repeat(8_000);
    const all: Masking = { rules: 1, personalData: [...PERSONAL_DATA], patterns: [] };
    for (const work of [() => maskSecrets(text), () => findPersonalData(text, all)]) {
      let turns = 0;
      let isOver = false;
      const count = () => {
        turns += 1;
        if (!isOver) setImmediate(count);
      };
      setImmediate(count);
      await work().finally(() => (isOver = true));
      // More than one in each 100,000 characters.
      expect(turns).toBeGreaterThan(text.length / 100_000);
    }
  }, 120_000);

  it('and of several long texts one is searched in a turn', async () => {
    const order: number[] = [];
    const work = (name: number): Steps<void> =>
      (function* () {
        for (let step = 0; step < 3; step += 1) {
          order.push(name);
          const until = performance.now() + 25;
          while (performance.now() < until);
          yield;
        }
      })();
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all([1, 2].map((name) => inTurns(work(name))));
    isOver = true;
    expect(order).toEqual([1, 2, 1, 2, 1, 2]);
    expect(turns).toBeGreaterThanOrEqual(4);
  });
});

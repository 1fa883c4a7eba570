import type { ArmFigures, ShownRate } from '@casefile/contracts';
import { meanInWords, rateInWords, shareText, valueLines } from './experiment-words.js';

const rate = (x: number, n: number): ShownRate => ({
  x,
  n,
  rate: n === 0 ? null : x / n,
  low: 0.18,
  high: 0.45,
});
const arm = (name: string, outcomes: [string, number][]): ArmFigures =>
  ({ arm: name, outcomes: outcomes.map(([value, x]) => ({ value, ...rate(x, 40) })) }) as ArmFigures;

describe('figures of an experiment in words', () => {
  it('has counts, share and interval of a rate', () => {
    expect(rateInWords(rate(12, 40))).toBe('12 of 40 · 30 % (18–45 %)');
    expect(rateInWords(rate(0, 0))).toBe('no case');
  });

  it('has a mean with its interval, if there are two cases', () => {
    const dollars = (value: number) => `$${value}`;
    expect(meanInWords({ n: 9, mean: 2, low: -1, high: 5 }, dollars)).toBe('$2 ($0–$5)');
    expect(meanInWords({ n: 1, mean: 2, low: null, high: null }, dollars)).toBe('$2');
    expect(meanInWords({ n: 0, mean: null, low: null, high: null }, dollars)).toBe('no case');
  });

  it('has shares without the noise of binary fractions', () => {
    expect([0.1, 0.0005, 1, 0.07].map(shareText)).toEqual(['10 %', '0.05 %', '100 %', '7 %']);
  });

  it('has a line per value of either arm, the most frequent first', () => {
    const arms = [
      arm('control', [['low', 30]]),
      arm('new', [
        ['high', 4],
        ['low', 20],
      ]),
    ];
    const lines = valueLines(arms, 'outcomes');
    expect(lines.map(({ what }) => what)).toEqual(['low', 'high']);
    expect(lines[1]!.of(arms[0]!)).toBe('0');
    expect(lines[1]!.of(arms[1]!)).toBe('4 of 40 · 10 % (18–45 %)');
  });
});

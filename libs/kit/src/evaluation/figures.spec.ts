import { isUnseen } from './dataset.js';
import { wilson95 } from './figures.js';
import { intervalRate } from './tables.js';

describe('the interval of a share', () => {
  it.each([
    // Calculated by hand, and from tables of Wilson's interval.
    [15, 30, 0.3315, 0.6685],
    [27, 30, 0.7438, 0.9654],
    [0, 10, 0, 0.2775],
    [10, 10, 0.7225, 1],
  ])('%i of %i lies between %f and %f', (part, of, from, to) => {
    const interval = wilson95(part, of);
    expect(interval.share).toBe(part / of);
    expect(interval.from).toBeCloseTo(from, 3);
    expect(interval.to).toBeCloseTo(to, 3);
  });

  it('is not known of nothing, and says what it was counted of', () => {
    expect(wilson95(0, 0)).toEqual({ part: 0, of: 0, share: null, from: null, to: null });
    expect([intervalRate(wilson95(0, 0)), intervalRate(wilson95(15, 30))]).toEqual([
      '-',
      '0.50 (15 of 30; 0.33 to 0.67)',
    ]);
  });
});

describe('a set that is not tuned on', () => {
  it.each([
    ['samples/eval/unseen.jsonl', true],
    ['/x/Unseen.csv', true],
    ['samples/eval/seen.jsonl', false],
    ['unseen/messages.jsonl', false],
  ])('is identified by the name of its file: %s', (path, expected) => {
    expect(isUnseen(path)).toBe(expected);
  });
});

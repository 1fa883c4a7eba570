import { overTheLimit } from './suite-figures.mjs';

/** A run of 50 files of which the first uses `seconds` in its worker, on a machine that is `slow` times slower. */
const runOf = (seconds, slow = 1) =>
  Array.from({ length: 50 }, (_, n) => ({
    file: `${n}.spec.ts`,
    worker: slow * (n === 0 ? seconds : 25),
    processor: slow * (n === 0 ? seconds : 31),
  }));

describe('the limit of processor time of a file', () => {
  it('is 40 s in its own worker', () => {
    expect(overTheLimit(runOf(41))).toEqual(['0.spec.ts']);
    expect(overTheLimit(runOf(40))).toEqual([]);
  });

  it('grows with the time of the whole run, so that a slow machine fails no file', () => {
    expect(overTheLimit(runOf(38, 2))).toEqual([]);
    expect(overTheLimit(runOf(60, 2))).toEqual(['0.spec.ts']);
  });
});

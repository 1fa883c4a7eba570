import fc from 'fast-check';
import { readFigure } from './fit-to-schema.js';

describe('a figure on a scale', () => {
  it.each<[number | string, 1 | 100, number]>([
    [0.9, 1, 0.9],
    [0.9, 100, 90],
    [90, 1, 0.9],
    [90, 100, 90],
    [0, 1, 0],
    [0, 100, 0],
    [1, 1, 1],
    [100, 1, 1],
    [0.29, 100, 29],
    ['90', 1, 0.9],
    ['90%', 1, 0.9],
    ['90 %', 100, 90],
    ['8/10', 1, 0.8],
    ['4 out of 5', 100, 80],
    ['about 0.9', 1, 0.9],
    ['0,75', 1, 0.75],
  ])('S1-23 has one reading: %j of %d is %d', (given, scale, value) => {
    expect(readFigure(given, scale)).toEqual({ value });
  });

  it.each<[number | string, 1 | 100]>([
    [1, 100],
    [5, 1],
    [1.5, 1],
    [150, 1],
    ['0.9%', 1],
    ['80-90', 1],
    ['between 0.7 and 0.8', 1],
    ['high', 100],
    ['1,000', 100],
    ['', 1],
  ])('S1-23 has none, or more than one: %j of %d', (given, scale) => {
    expect(readFigure(given, scale)).toHaveProperty('problem');
  });

  it('S1-23 is never silently made smaller: a share stays one, and a percentage is one on either scale', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 0.999, noNaN: true }), (share) => {
        expect(readFigure(share, 1)).toEqual({ value: share });
        const read = readFigure(share, 100);
        expect('value' in read && read.value >= share).toBe(true);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 11, max: 100 }), (percent) => {
        expect(readFigure(percent, 100)).toEqual({ value: percent });
        expect(readFigure(percent, 1)).toEqual({ value: percent / 100 });
        expect(readFigure(`${percent}%`, 1)).toEqual({ value: percent / 100 });
      }),
    );
  });
});

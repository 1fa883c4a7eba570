import { sparkPath } from './spark-path.js';

describe('S2-32 the line of a figure', () => {
  it('goes from the first to the last value, the highest one at the top', () => {
    expect(sparkPath([0, 5, 10])).toBe('M0 27L50 14L100 1');
  });

  it('has a gap where nothing was measured, and is flat if all is zero', () => {
    expect(sparkPath([1, null, 1])).toBe('M0 1h0M100 1h0');
    expect(sparkPath([0, 0])).toBe('M0 27L100 27');
    expect(sparkPath([])).toBe('');
  });
});

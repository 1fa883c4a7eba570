import { nextPlace } from './walk-rows.js';

describe('keys between the rows of lists', () => {
  it('S2-32 begin at the first row, and stop at both ends', () => {
    expect([nextPlace(-1, 1, 3), nextPlace(-1, -1, 3)]).toEqual([0, 0]);
    expect([nextPlace(0, 1, 3), nextPlace(2, 1, 3)]).toEqual([1, 2]);
    expect([nextPlace(2, -1, 3), nextPlace(0, -1, 3)]).toEqual([1, 0]);
  });
});

import { visitsAt } from './last-visit.js';

const MINUTE = 60_000;

describe('S2-32 the last visit', () => {
  it('is none at first', () => expect(visitsAt(null, 5)).toEqual({ before: null, now: 5 }));

  it('stays the same while a person comes back within half an hour', () => {
    const first = { before: 1, now: 100 };
    expect(visitsAt(first, 100 + 30 * MINUTE)).toEqual({ before: 1, now: 100 + 30 * MINUTE });
    expect(visitsAt(first, 101 + 30 * MINUTE)).toEqual({ before: 100, now: 101 + 30 * MINUTE });
  });
});

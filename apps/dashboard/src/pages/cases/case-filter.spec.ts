import fc from 'fast-check';
import { FILTERS, filterFrom, searchOf, type CaseFilter } from './case-filter.js';

describe('S2-32 the filter of the list of cases, in the address', () => {
  it('reads back what it wrote', () => {
    const filters = fc.record(
      Object.fromEntries(FILTERS.map((name) => [name, fc.string({ minLength: 1 })])),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(filters, (filter) => {
        expect(filterFrom(searchOf(filter as CaseFilter))).toEqual(filter);
      }),
    );
  });

  it('is nothing when nothing is filtered', () => {
    expect(searchOf({})).toBe('');
    expect(searchOf({ q: '' })).toBe('');
  });

  it('leaves out what it does not know', () => {
    expect(filterFrom('?q=a&status=open&other=1&action=')).toEqual({ q: 'a', status: 'open' });
  });

  it('is the same for the same filter, whatever the order', () => {
    expect(searchOf({ status: 'open', q: 'pay & go' })).toBe(searchOf({ q: 'pay & go', status: 'open' }));
    expect(searchOf({ q: 'pay & go' })).toBe('?q=pay+%26+go');
  });
});

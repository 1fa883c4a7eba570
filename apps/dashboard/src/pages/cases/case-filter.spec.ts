import fc from 'fast-check';
import { FILTERS, filterFrom, filterSearch, type CaseFilter } from './case-filter.js';

describe('S2-32 the filter of the list of cases, in the address', () => {
  it('reads back what it wrote', () => {
    const filters = fc.record(
      Object.fromEntries(FILTERS.map((name) => [name, fc.string({ minLength: 1 })])),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(filters, (filter) => {
        expect(filterFrom(filterSearch(filter as CaseFilter))).toEqual(filter);
      }),
    );
  });

  it('is nothing when nothing is filtered', () => {
    expect(filterSearch({})).toBe('');
    expect(filterSearch({ q: '' })).toBe('');
  });

  it('leaves out what it does not know', () => {
    expect(filterFrom('?q=a&status=open&other=1&action=')).toEqual({ q: 'a', status: 'open' });
  });

  it('is the same for the same filter, whatever the order', () => {
    expect(filterSearch({ status: 'open', q: 'pay & go' })).toBe(
      filterSearch({ q: 'pay & go', status: 'open' }),
    );
    expect(filterSearch({ q: 'pay & go' })).toBe('?q=pay+%26+go');
  });
});

import { batchFilter } from './judged-filter.js';

describe('S4-62 the listed cases judged again', () => {
  it('are those of the filters, where a batch has the same filters', () => {
    expect(batchFilter({ degraded: 'true', playbook: 'research', from: '2026-01-01' })).toEqual({
      degraded: true,
      playbook: 'research',
      from: '2026-01-01',
    });
    expect(batchFilter({ degraded: 'false' })).toEqual({ degraded: false });
    expect(batchFilter({ degraded: 'false', order: 'oldest' })).toEqual({ degraded: false });
  });

  it('are none without a filter, or with one that a batch does not have', () => {
    expect(batchFilter({})).toBeNull();
    expect(batchFilter({ order: 'oldest' })).toBeNull();
    expect(batchFilter({ q: 'parcel', degraded: 'true' })).toBeNull();
    expect(batchFilter({ lane: 'live' })).toBeNull();
  });
});

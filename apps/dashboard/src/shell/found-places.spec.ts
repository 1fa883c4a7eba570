import type { Configuration, Role } from '@casefile/contracts';
import { foundPlaces, foundSettings, matches } from './found-places.js';

const all = (_needs: Role): boolean => true;
const names = (query: string, may: (needs: Role) => boolean = all) =>
  foundPlaces(query, may).map(({ name }) => name);

describe('S2-32 the search of pages, settings and acts', () => {
  it('lists every page before anything is typed, and finds pages by earlier names', () => {
    expect(names('')).toContain('Providers and cost');
    expect(names('dead let')).toEqual(['Inbox']);
    expect(names('pipeline')).toEqual(['Flow']);
    expect(names('policies')).toEqual(['Knowledge']);
  });

  it('finds acts by what they do', () => {
    expect(names('receiver')).toEqual(['Destinations', 'Add a destination']);
    expect(names('judge again')).toContain('Judge cases again');
  });

  it('leaves out what the role may not use', () => {
    expect(names('key', (needs) => needs === 'viewer')).toEqual([]);
  });

  it('compares beginnings of words', () => {
    expect(matches('sch', 'Schedules Operate')).toBe(true);
    expect(matches('hed', 'Schedules Operate')).toBe(false);
  });

  it('finds a setting by a part of its name', () => {
    const configuration: Configuration['configuration'] = [
      { name: 'budgets.day.usd', value: 5, source: 'file', file: null },
      { name: 'lease.seconds', value: 6, source: 'default', file: null },
    ];
    expect(foundSettings('day usd', { configuration, nextCursor: null })).toMatchObject([
      { name: 'budgets.day.usd', note: '5', href: '/settings?q=budgets.day.usd' },
    ]);
  });
});

import type { SettingEntry } from '@casefile/contracts';
import { settingSections } from './setting-sections.js';

const entry = (name: string, source: SettingEntry['source'] = 'default'): SettingEntry => ({
  name,
  value: 1,
  source,
  file: null,
});
const ENTRIES = [
  entry('batches.parallel'),
  entry('budgets.day.usd', 'file'),
  entry('budgets.case.usd'),
  entry('DATABASE_URL', 'environment'),
  entry('LOG_LEVEL'),
];
const shown = (q: string, source = '') =>
  settingSections(ENTRIES, { q, source }).map(({ name, changed, defaults }) => [
    name,
    changed.map((one) => one.name),
    defaults.map((one) => one.name),
  ]);

describe('S2-32 the settings by section', () => {
  it('begin with the sections in which something differs from the default', () => {
    expect(shown('')).toEqual([
      ['budgets', ['budgets.day.usd'], ['budgets.case.usd']],
      ['Environment variables', ['DATABASE_URL'], ['LOG_LEVEL']],
      ['batches', [], ['batches.parallel']],
    ]);
  });

  it('are those whose name contains the search, of the chosen source', () => {
    expect(shown('LOG')).toEqual([['Environment variables', [], ['LOG_LEVEL']]]);
    expect(shown('', 'file')).toEqual([['budgets', ['budgets.day.usd'], []]]);
    expect(shown('nothing')).toEqual([]);
  });
});

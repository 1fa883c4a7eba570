import { PROOFS } from './index.js';
import { resultPage } from './result-page.js';

const row = (id: string, form: string, measured: string) =>
  `| ${id} | p | f | ${measured} | ${form}, 1 | 2026-11-27, abc | kept |`;

it('replaces the rows of the proofs that were run, and keeps the others in their order', () => {
  const first = resultPage([], '', { results: [row('R10', 'long', 'a'), row('R2', 'short', 'b')] });
  const page = resultPage([], first, {
    results: [row('R10', 'short', 'c'), row('R2', 'short', 'd'), row('R3', 'long', 'e')],
    mutations: ['| R1 | m | o | n | 2026-11-27, abc | found |'],
  });
  const rows = page.split('\n').filter((line) => /^\| R\d/.test(line));
  expect(rows).toEqual([
    row('R2', 'short', 'd'),
    row('R3', 'long', 'e'),
    row('R10', 'long', 'a'),
    '| R1 | m | o | n | 2026-11-27, abc | found |',
  ]);
  expect(resultPage([], page, {})).toBe(page);
});

it('lists promises without a run', () => {
  const page = resultPage(PROOFS, '', { results: [row('R10', 'short', 'a')] });
  expect(page.match(/^\| R\d+ \|.*\| not run \|$/gm)).toHaveLength(2 * PROOFS.length - 1);
});

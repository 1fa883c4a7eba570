import { seeded } from './fault-run/seeded.js';
import { nameOf, ROWS, runRow } from './ends-run/run-row.js';

/** Another tenth with another seed; the whole table, with times: `npm run measure -- ends-run`. */
const SEED = 31;
/** Limits for what hangs, on a machine that does other things too. */
const LIMITS = { endMs: 120_000, leftMs: 120_000 };

describe('everything that a program has started ends with it', () => {
  const random = seeded(SEED);
  // The bench takes the longest, and is no part of the product.
  const inTests = ROWS.filter(({ program }) => program.name !== 'npm run bench');
  const drawn = inTests
    .map((row) => ({ row, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, Math.ceil(ROWS.length / 10));

  it.each(drawn.map(({ row }) => [nameOf(row), row] as const))(
    '%s',
    async (_name, row) => {
      const { isDocumented, code, left, written } = await runRow(row, random, LIMITS);
      expect({ left, isDocumented, code }).toEqual({ left: [], isDocumented: true, code });
      expect(written).not.toContain('Error:');
    },
    600_000,
  );
});

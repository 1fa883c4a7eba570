import { seededRandom } from '@casefile/contracts';
import { PROGRAMS } from '../ends-run/programs.js';
import { MOMENTS, nameOf, ROWS, runRow, WAYS } from '../ends-run/run-row.js';

/** Draws the way and the moment of each program. */
const SEED = 31;
/** Limits for what hangs, on a machine that does other things too. */
const LIMITS = { endMs: 120_000, leftMs: 120_000 };

describe('everything that a program has started ends with it', () => {
  const random = seededRandom(SEED);
  // The bench takes the longest, and is no part of the product.
  const programs = PROGRAMS.filter(({ name }) => name !== 'npm run bench');
  const drawn = programs.map((program) => {
    const rows = ROWS.filter((row) => row.program === program);
    return rows[Math.floor(random() * rows.length)]!;
  });

  it('is checked for every way and every moment', () => {
    expect(new Set(drawn.map(({ way }) => way))).toEqual(new Set(WAYS));
    expect(new Set(drawn.map(({ moment }) => moment))).toEqual(new Set(MOMENTS));
  });

  it.each(drawn.map((row) => [nameOf(row), row] as const))(
    '%s',
    async (_name, row) => {
      const { isDocumented, code, leftovers, written } = await runRow(row, random, LIMITS);
      expect({ leftovers, isDocumented, code }).toEqual({ leftovers: [], isDocumented: true, code });
      expect(written).not.toContain('Error:');
    },
    600_000,
  );
});

import pg from 'pg';
import { CASES_A_BATCH, fillStatements, type FillSize } from './fill-statements.js';

/**
 * Fills an empty, migrated record with decided cases, one per minute up to now. Writes every table that has
 * rows of a case, with the same triggers as in production.
 */
export async function fillRecord(
  databaseUrl: string,
  size: FillSize,
  onProgress: (cases: number) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const statements = fillStatements(size);
    for (let first = 1; first <= size.cases; first += CASES_A_BATCH) {
      const last = Math.min(size.cases, first + CASES_A_BATCH - 1);
      for (const statement of statements) await client.query(statement, [first, last, size.cases]);
      onProgress(last);
    }
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

import type { Leadership } from '@casefile/contracts';
import type pg from 'pg';
import type { Database } from '../database.js';
import { asStoreError } from '../store-errors.js';

/**
 * Elects one leader per name among all processes, with an advisory lock of a session. A leader that dies or
 * loses its connection is no longer leader.
 */
export async function lead(database: Database, name: string): Promise<Leadership | null> {
  const client = await database.session();
  try {
    const { rows } = await client.query<{ leads: boolean }>(
      'select pg_try_advisory_lock(hashtextextended($1, 11)) as leads',
      [name],
    );
    if (rows[0]?.leads === true) return leadership(client, name);
    client.release();
    return null;
  } catch (error) {
    client.release(true);
    throw asStoreError(error);
  }
}

function leadership(client: pg.PoolClient, name: string): Leadership {
  let released = false;
  return {
    release: async () => {
      if (released) return;
      released = true;
      try {
        await client.query('select pg_advisory_unlock(hashtextextended($1, 11))', [name]);
        client.release();
      } catch (error) {
        // Closing the connection releases the lock as well.
        client.release(error instanceof Error ? error : true);
      }
    },
  };
}

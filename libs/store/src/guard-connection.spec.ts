import { createPostgresStore } from './create-postgres-store.js';
import { testRecord } from './testing/test-record.js';

const at = testRecord();
const CONNECTIONS = 4;

describe('S2-21 the connection of the guard', () => {
  it('checks keys while other work holds every connection of the pool', async () => {
    const store = createPostgresStore({
      databaseUrl: at().url,
      poolSize: CONNECTIONS,
      connectTimeoutMs: 60_000,
    });
    const held = await Promise.all(Array.from({ length: CONNECTIONS }, () => store.database.connect()));
    try {
      expect(await store.keys.any()).toBe(false);
      const found = await Promise.all(Array.from({ length: 200 }, () => store.keys.find('abcdefgh')));
      expect(new Set(found)).toEqual(new Set([null]));
      expect(store.database.pool.idleCount).toBe(0);
    } finally {
      for (const connection of held) connection.release();
      await store.close();
    }
  });
});

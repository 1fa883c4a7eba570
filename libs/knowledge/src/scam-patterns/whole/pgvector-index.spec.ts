import { readFile } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import { vector as pgvector } from '@electric-sql/pglite/vector';
import { silentLogger } from '@casefile/contracts';
import type { Queryable } from '@casefile/store';
import { hasPgvector, pgvectorIndex } from '../pgvector-index.js';
import { vectorScan } from '../vector-scan.js';

const MODEL = "it's a model";
const MIGRATION = new URL(
  '../../../../store/prisma/migrations/20260127000000_screening/migration.sql',
  import.meta.url,
);
const drawn = (seed: number) => {
  let state = seed + 1;
  return Array.from(
    { length: 8 },
    () => ((state = (state * 48_271) % 2_147_483_647) / 2_147_483_647) * 2 - 1,
  );
};

/** Postgres with pgvector, in this process: the embedded one has no such extension. */
async function aDatabase() {
  const postgres = await PGlite.create({ extensions: { vector: pgvector } });
  await postgres.exec(await readFile(MIGRATION, 'utf8'));
  const database: Queryable = {
    rows: async <R extends object>(text: string, params: unknown[] = []) =>
      (await postgres.query<R>(text, params)).rows,
  };
  const put = (model: string, vectors: number[][]) =>
    postgres.query(
      `insert into pattern_vectors (pattern_id, language, model, dimension, vector, revision)
       select 'p' || n, 'en', $1, json_array_length(v),
         (select array_agg(value::real) from json_array_elements_text(v)), 1
       from json_array_elements($2::json) with ordinality as given(v, n)`,
      [model, JSON.stringify(vectors)],
    );
  return { postgres, database, put };
}

describe('pgvectorIndex', () => {
  let at: Awaited<ReturnType<typeof aDatabase>>;
  beforeAll(async () => {
    at = await aDatabase();
    expect(await hasPgvector(at.database, silentLogger)).toBe(true);
    await at.put(
      MODEL,
      Array.from({ length: 1_200 }, (_, n) => drawn(n)),
    );
    await at.put('other model', [drawn(0).slice(0, 4)]);
  });
  afterAll(() => at.postgres.close());

  it('S3-10 finds what the exact scan finds, by an index', async () => {
    const { database, postgres } = at;
    const rows = (
      await database.rows<{ pattern_id: string; vector: number[] }>(
        'select pattern_id, to_json(vector) as vector from pattern_vectors where dimension = 8',
      )
    ).map((row) => ({ patternId: row.pattern_id, language: 'en', vector: row.vector }));
    const scan = vectorScan(
      {
        patternState: async () => ({ revision: 1, patterns: rows.length }),
        patternsSince: async () => [],
        vectorsSince: async () => rows,
      },
      MODEL,
    );
    const index = pgvectorIndex(database, MODEL, silentLogger);
    let same = 0;
    for (let i = 0; i < 20; i += 1) {
      const query = drawn(5_000 + i);
      const [found, exact] = [await index.nearest(query, 5), await scan.nearest(query, 5)];
      expect(found).toHaveLength(5);
      same += found.filter(({ patternId }) => exact.some((other) => other.patternId === patternId)).length;
      expect(found[0]!.similarity).toBeCloseTo(exact[0]!.similarity, 1);
    }
    // HNSW is approximate.
    expect(same / 100).toBeGreaterThan(0.9);
    const made = await postgres.query<{ indexdef: string }>(
      `select indexdef from pg_indexes where tablename = 'pattern_vectors' and indexdef like '%hnsw%'`,
    );
    expect(made.rows).toHaveLength(1);
  });

  it('S3-12 looks among the vectors of its own model, and says when their dimension is another', async () => {
    const other = pgvectorIndex(at.database, 'other model', silentLogger);
    expect(await other.nearest(drawn(0).slice(0, 4), 5)).toEqual([
      { patternId: 'p1', language: 'en', similarity: expect.closeTo(1, 4) },
    ]);
    await expect(other.nearest(drawn(0), 5)).rejects.toMatchObject({ reasonCode: 'dimension_mismatch' });
    expect(await pgvectorIndex(at.database, 'no model', silentLogger).nearest(drawn(0), 5)).toEqual([]);
  });
});

import type { CaseReader, CaseStore, CaseQuery } from '@casefile/contracts';
import pg from 'pg';
import { testDatabase, type TestDatabase } from '../testing/test-database.js';
import { casesStatement, SCANNED_CASES, type SearchWay } from './list-cases.js';
import { createPostgresStore } from '../create-postgres-store.js';

// More cases than are scanned. Only the oldest contains one particular word, and every seventh contains
// another.
const CASES = SCANNED_CASES + 60;
const FILL = `
  with c as (
    insert into cases (id, playbook, lane, text, status, disposition, method, degraded, created_at)
    select gen_random_uuid(), 'p', 'live', n::text, case when n % 2 = 0 then 'open' else 'decided' end, 'act',
      case when n % 3 = 0 then 'heuristic' else 'llm' end, n % 3 = 0, now() - n * interval '1 minute'
    from generate_series(1, $1::int) n returning id, text, created_at)
  insert into case_words (case_id, created_at, words)
  select id, created_at, words_of('your parcel खाता' || case when text::int = $1 then ' unheardof' else '' end
    || case when text::int % 7 = 0 then ' seventh' else '' end) from c`;

let database: TestDatabase;
let client: pg.Client;
let store: CaseStore;
beforeAll(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(FILL, [CASES]);
  store = createPostgresStore({ databaseUrl: database.url, poolSize: 3 });
});
afterAll(async () => {
  await store.close();
  await client.end();
  await database.drop();
});

const newestFirst = (wanted: (n: number) => boolean): string[] =>
  Array.from({ length: CASES }, (_, i) => i + 1)
    .filter(wanted)
    .map(String);

async function foundIds(query: CaseQuery, way: SearchWay): Promise<string[]> {
  const { text, params } = casesStatement(query, way);
  const { rows } = await client.query<{ id: string | null; text: string }>(text, params);
  return rows.filter((row) => row.id !== null).map((row) => row.text);
}

/** Returns all pages of a list. */
async function listed(query: Partial<CaseQuery>): Promise<string[]> {
  const texts: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page: Awaited<ReturnType<CaseReader['listCases']>> = await store.record.listCases({
      limit: 100,
      ...query,
      ...(cursor === undefined ? {} : { cursor }),
    });
    texts.push(...page.items.map((item) => item.text));
    cursor = page.nextCursor;
  }
  return texts;
}

describe('the two ways to look for words', () => {
  it('S2-30 find the same where both look at everything', async () => {
    const from = new Date(Date.now() - 200 * 60_000).toISOString();
    const queries: Partial<CaseQuery>[] = [
      { q: 'seventh' },
      { q: 'seventh', status: 'open' },
      { q: 'parcel sev', method: 'heuristic', degraded: true },
      { q: 'खा', disposition: 'act', limit: 5 },
      { q: 'nothing' },
      { q: '& |' },
    ];
    for (const query of queries) {
      const asked = { limit: 500, from, ...query };
      const [scanned, words] = [await foundIds(asked, 'scan'), await foundIds(asked, 'words')];
      expect({ query, found: words }).toEqual({ query, found: scanned });
    }
    expect(await foundIds({ limit: 500, from, q: 'seventh' }, 'words')).toHaveLength(28);
  });

  it('S2-30 find a word that only the oldest case has', async () => {
    expect(await foundIds({ limit: 10, q: 'unheardof' }, 'scan')).toEqual([]);
    expect(await foundIds({ limit: 10, q: 'unheardof', order: 'oldest' }, 'scan')).toEqual([String(CASES)]);
    expect(await listed({ q: 'unheardof' })).toEqual([String(CASES)]);
    expect(await listed({ q: 'parcel unh', disposition: 'act' })).toEqual([String(CASES)]);
  });

  it('S2-30 make up one list, whichever of them each page comes by', async () => {
    expect(await listed({ q: 'parcel' })).toEqual(newestFirst(() => true));
    expect(await listed({ q: 'seventh', limit: 13 })).toEqual(newestFirst((n) => n % 7 === 0));
    expect(await listed({ q: 'seventh', method: 'heuristic' })).toEqual(newestFirst((n) => n % 21 === 0));
    expect(await listed({ method: 'heuristic', status: 'open' })).toEqual(newestFirst((n) => n % 6 === 0));
  });

  it('U11 list the oldest first in the reverse order, page by page', async () => {
    const queries: Partial<CaseQuery>[] = [
      {},
      { q: 'parcel' },
      { q: 'seventh', limit: 13 },
      { q: 'seventh', method: 'heuristic' },
      { method: 'heuristic', status: 'open' },
    ];
    for (const query of queries)
      expect(await listed({ ...query, order: 'oldest' })).toEqual((await listed(query)).reverse());
  });
});

import { toStored, type Logger, type Pages, type ScamPattern } from '@casefile/contracts';
import {
  assignments,
  tableColumns,
  copyColumns,
  insertInto,
  rowSet,
  WithClause,
  type Database,
  type Queryable,
} from '@casefile/store';
import {
  checkedPatterns,
  checkVectors,
  patternDigest,
  type PatternImport,
  type PatternVector,
  type ScamPatternBase,
  type TextToEmbed,
  type VectorIndex,
} from './scam-pattern-base.js';
import { checkedPages } from '../pages.js';
import { hasPgvector, pgvectorIndex } from './pgvector-index.js';
import { vectorScan } from './vector-scan.js';

interface PatternRow {
  id: string;
  title: string;
  category: string;
  scam_type: string;
  texts: Record<string, string>;
  red_flags: string[];
  source: string;
  version: number;
}

/** The knowledge base in Postgres. */
export function postgresPatterns(database: Database, log: Logger): ScamPatternBase {
  const store: ScamPatternBase = {
    importPatterns: (pages) => importPatterns(database, pages),
    patternState: async () => {
      const [row] = await database.rows<{ revision: string; patterns: number }>(
        `select revision, (select count(*)::int from scam_patterns) as patterns from knowledge_bases where name = $1`,
        [KNOWLEDGE_BASE],
      );
      return { revision: Number(row?.revision ?? 0), patterns: row?.patterns ?? 0 };
    },
    patternsSince: async (revision) => {
      const text = 'select * from scam_patterns where revision > $1 order by id collate "C"';
      return (await database.rows<PatternRow>(text, [revision])).map(toPattern);
    },
    vectorsSince: (model, revision) =>
      database.rows(
        // As JSON, because its parser is many times faster than that of arrays.
        `select pattern_id as "patternId", language, to_json(vector) as vector from pattern_vectors
         where model = $1 and revision > $2 order by pattern_id collate "C", language collate "C"`,
        toStored([model, revision]),
      ),
    textsToEmbed: (model, languages, limit) => textsToEmbed(database, model, languages, limit),
    saveVectors: (model, vectors) => saveVectors(database, model, vectors),
    dropVectors: (model) =>
      database.transaction(async (tx) => {
        const text = 'delete from pattern_vectors where model = $1 returning 1';
        const dropped = await tx.rows(text, toStored([model]));
        if (dropped.length > 0) await raiseRevision(tx, 1);
        return dropped.length;
      }),
    vectorIndex: (model) => {
      const scan = vectorScan(store, model);
      let chosen: VectorIndex | null = null;
      return {
        nearest: async (vector, limit) => {
          chosen ??= (await hasPgvector(database, log)) ? pgvectorIndex(database, model, log) : scan;
          return chosen.nearest(vector, limit);
        },
      };
    },
  };
  return store;
}

const KNOWLEDGE_BASE = 'scam-patterns';

// Locks the row until the end of the transaction, so that revisions have the order in which changes become
// visible.
async function raiseRevision(tx: Queryable, by: 0 | 1): Promise<number> {
  const [row] = await tx.rows<{ revision: string }>(
    `insert into knowledge_bases (name, revision) values ($1, $2)
     on conflict (name) do update set revision = knowledge_bases.revision + $2 returning revision`,
    [KNOWLEDGE_BASE, by],
  );
  return Number(row?.revision ?? 0);
}

async function importPatterns(database: Database, pages: Pages<ScamPattern[]>): Promise<PatternImport> {
  return database.transaction(async (tx) => {
    let revision = await raiseRevision(tx, 0);
    let hasRaised = false;
    const counts = { inserted: 0, replaced: 0, unchanged: 0 };
    for await (const page of checkedPages(pages, checkedPatterns)) {
      const { changed, inserted } = await changedPatterns(tx, toStored(page));
      counts.inserted += inserted;
      counts.replaced += changed.length - inserted;
      counts.unchanged += page.length - changed.length;
      if (changed.length === 0) continue;
      if (!hasRaised) revision = await raiseRevision(tx, 1);
      hasRaised = true;
      await writePatterns(tx, changed, revision);
    }
    return { ...counts, revision };
  });
}

/** Returns the patterns that are not stored like this, and the number of those that are new. */
async function changedPatterns(
  tx: Queryable,
  patterns: ScamPattern[],
): Promise<{ changed: ScamPattern[]; inserted: number }> {
  const there = await tx.rows<PatternRow>(
    'select * from scam_patterns where id in (select json_array_elements_text($1::json))',
    [JSON.stringify(patterns.map(({ id }) => id))],
  );
  const before = new Map(there.map((row) => [row.id, patternDigest(toPattern(row))]));
  const changed = patterns.filter((pattern) => before.get(pattern.id) !== patternDigest(pattern));
  return { changed, inserted: changed.filter(({ id }) => !before.has(id)).length };
}

const COLUMNS = ['title', 'category', 'scam_type', 'texts', 'red_flags', 'source', 'version'] as const;
const PATTERNS = rowSet('pattern_rows', tableColumns('scam_patterns', 'id', ...COLUMNS));
/** $1 the revision. */
const PUT_PATTERNS = `put as (
    ${insertInto('scam_patterns', { ...copyColumns('', 'id', ...COLUMNS), revision: '$1' })} from pattern_rows
    on conflict (id) do update
    set ${assignments('scam_patterns', {
      ...copyColumns('excluded', ...COLUMNS, 'revision'),
      changed_at: 'now()',
    })}
    returning id)`;
const REMOVE_VECTORS = 'delete from pattern_vectors v using put where v.pattern_id = put.id';

async function writePatterns(tx: Queryable, patterns: ScamPattern[], revision: number): Promise<void> {
  const clause = new WithClause(revision).rows(PATTERNS, patterns, PUT_PATTERNS);
  const { text, params } = clause.statement(REMOVE_VECTORS);
  await tx.rows(text, params);
}

async function textsToEmbed(
  database: Queryable,
  model: string,
  languages: readonly string[] | null,
  limit: number,
): Promise<{ texts: TextToEmbed[]; total: number }> {
  const rows = await database.rows<TextToEmbed & { total: number }>(
    `select p.id as "patternId", t.key as language, t.value as text, (count(*) over ())::int as total
     from scam_patterns p cross join jsonb_each_text(p.texts) t
     where ($2::json is null or t.key in (select json_array_elements_text($2::json)))
       and not exists (select 1 from pattern_vectors v
         where v.model = $1 and v.pattern_id = p.id and v.language = t.key)
     order by p.id collate "C", t.key collate "C" limit $3`,
    [...toStored([model]), languages === null ? null : JSON.stringify(languages), limit],
  );
  return {
    texts: rows.map(({ patternId, language, text }) => ({ patternId, language, text })),
    total: rows[0]?.total ?? 0,
  };
}

const VECTORS = rowSet('vector_rows', {
  ...tableColumns('pattern_vectors', 'pattern_id', 'language', 'vector'),
  text: 'text',
});
/** $1 the model, $2 the revision. Skips a vector whose text has changed since. */
const SAVE_VECTORS = `
  ${insertInto('pattern_vectors', {
    pattern_id: 'n.pattern_id',
    language: 'n.language',
    model: '$1',
    dimension: 'cardinality(n.vector)',
    vector: 'n.vector',
    revision: '$2',
  })}
  from vector_rows n join scam_patterns p on p.id = n.pattern_id and p.texts ->> n.language = n.text
  on conflict (model, pattern_id, language) do update
  set ${assignments('pattern_vectors', {
    ...copyColumns('excluded', 'dimension', 'vector', 'revision'),
    created_at: 'now()',
  })}
  returning 1`;

async function saveVectors(database: Database, model: string, vectors: PatternVector[]): Promise<number> {
  checkVectors(vectors);
  if (vectors.length === 0) return 0;
  return database.transaction(async (tx) => {
    const revision = await raiseRevision(tx, 1);
    const [id = model] = toStored([model]);
    const clause = new WithClause(id, revision).rows(VECTORS, toStored(vectors));
    const { text, params } = clause.statement(SAVE_VECTORS);
    const saved = await tx.rows(text, params);
    return saved.length;
  });
}

function toPattern(row: PatternRow): ScamPattern {
  const { id, title, texts, category, source, version } = row;
  return { id, title, texts, category, scamType: row.scam_type, redFlags: row.red_flags, source, version };
}

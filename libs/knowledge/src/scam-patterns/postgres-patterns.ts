import { createHash } from 'node:crypto';
import { CasefileError, stored, type Logger, type ScamPattern } from '@casefile/contracts';
import { RowSets, type Database, type Queryable } from '@casefile/store';
import {
  checkedPatterns,
  checkVectors,
  digestOf,
  type PatternImport,
  type PatternVector,
  type ScamPatternBase,
  type TextToEmbed,
  type VectorIndex,
} from './scam-pattern-base.js';
import { vectorScan } from './vector-scan.js';

/** Rows a statement: large enough to be quick, small enough to be sent at once. */
const ROWS_A_STATEMENT = 2_000;

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
    importPatterns: (patterns) => importPatterns(database, patterns),
    patternState: async () => {
      const [row] = await database.rows<{ revision: string; patterns: number }>(
        `select revision, (select count(*)::int from scam_patterns) as patterns from knowledge_bases where name = $1`,
        [KNOWLEDGE_BASE],
      );
      return { revision: Number(row?.revision ?? 0), patterns: row?.patterns ?? 0 };
    },
    patternsSince: async (revision) => {
      const text = 'select * from scam_patterns where revision > $1 order by id collate "C"';
      return (await database.rows<PatternRow>(text, [revision])).map(patternOf);
    },
    vectorsSince: (model, revision) =>
      database.rows(
        // As JSON, for its reader is many times quicker than that of arrays.
        `select pattern_id as "patternId", language, to_json(vector) as vector from pattern_vectors
         where model = $1 and revision > $2 order by pattern_id collate "C", language collate "C"`,
        stored([model, revision]),
      ),
    textsToEmbed: (model, languages, limit) => textsToEmbed(database, model, languages, limit),
    saveVectors: (model, vectors) => saveVectors(database, model, vectors),
    dropVectors: (model) =>
      database.transaction(async (tx) => {
        const text = 'delete from pattern_vectors where model = $1 returning 1';
        const dropped = await tx.rows(text, stored([model]));
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

// The row is locked until the end of the transaction: revisions are in the order in which changes can be seen.
async function raiseRevision(tx: Queryable, by: 0 | 1): Promise<number> {
  const [row] = await tx.rows<{ revision: string }>(
    `insert into knowledge_bases (name, revision) values ($1, $2)
     on conflict (name) do update set revision = knowledge_bases.revision + $2 returning revision`,
    [KNOWLEDGE_BASE, by],
  );
  return Number(row?.revision ?? 0);
}

async function importPatterns(database: Database, patterns: ScamPattern[]): Promise<PatternImport> {
  const checked = stored(checkedPatterns(patterns));
  return database.transaction(async (tx) => {
    const current = await raiseRevision(tx, 0);
    const ids = JSON.stringify(checked.map(({ id }) => id));
    const there = await tx.rows<PatternRow>(
      'select * from scam_patterns where id in (select json_array_elements_text($1::json))',
      [ids],
    );
    const before = new Map(there.map((row) => [row.id, digestOf(patternOf(row))]));
    const changed = checked.filter((pattern) => before.get(pattern.id) !== digestOf(pattern));
    const inserted = changed.filter((pattern) => !before.has(pattern.id)).length;
    const counts = {
      inserted,
      replaced: changed.length - inserted,
      unchanged: checked.length - changed.length,
    };
    if (changed.length === 0) return { ...counts, revision: current };
    const revision = await raiseRevision(tx, 1);
    for (let from = 0; from < changed.length; from += ROWS_A_STATEMENT)
      await writePatterns(tx, changed.slice(from, from + ROWS_A_STATEMENT), revision);
    return { ...counts, revision };
  });
}

async function writePatterns(tx: Queryable, patterns: ScamPattern[], revision: number): Promise<void> {
  const sets = new RowSets();
  const columns = `id text, title text, category text, "scamType" text, texts jsonb, "redFlags" json, source text, version int`;
  const source = sets.add('p', columns, patterns);
  await tx.rows(
    `with put as (
       insert into scam_patterns (id, title, category, scam_type, texts, red_flags, source, version, revision)
       select id, title, category, "scamType", texts, array(select json_array_elements_text("redFlags")), source,
         version, $2 from ${source}
       on conflict (id) do update set title = excluded.title, category = excluded.category,
         scam_type = excluded.scam_type, texts = excluded.texts, red_flags = excluded.red_flags,
         source = excluded.source, version = excluded.version, revision = excluded.revision, changed_at = now()
       returning id)
     delete from pattern_vectors v using put where v.pattern_id = put.id`,
    [...sets.params, revision],
  );
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
    [...stored([model]), languages === null ? null : JSON.stringify(languages), limit],
  );
  return {
    texts: rows.map(({ patternId, language, text }) => ({ patternId, language, text })),
    total: rows[0]?.total ?? 0,
  };
}

async function saveVectors(database: Database, model: string, vectors: PatternVector[]): Promise<number> {
  checkVectors(vectors);
  if (vectors.length === 0) return 0;
  return database.transaction(async (tx) => {
    const revision = await raiseRevision(tx, 1);
    const sets = new RowSets();
    const source = sets.add('n', '"patternId" text, language text, text text, vector json', stored(vectors));
    const saved = await tx.rows(
      `insert into pattern_vectors (pattern_id, language, model, dimension, vector, revision)
       select n."patternId", n.language, $2, json_array_length(n.vector),
         array(select json_array_elements_text(n.vector)::real), $3
       from ${source} join scam_patterns p on p.id = n."patternId" and p.texts ->> n.language = n.text
       on conflict (model, pattern_id, language) do update set dimension = excluded.dimension,
         vector = excluded.vector, revision = excluded.revision, created_at = now()
       returning 1`,
      [...sets.params, ...stored([model]), revision],
    );
    return saved.length;
  });
}

function patternOf(row: PatternRow): ScamPattern {
  const { id, title, texts, category, source, version } = row;
  return { id, title, texts, category, scamType: row.scam_type, redFlags: row.red_flags, source, version };
}

/** pgvector's HNSW takes vectors of up to so many dimensions; larger ones are compared one by one. */
const MAX_INDEXED = 2_000;
/** A build in this process's way would make the first look-up wait: below this an index is not worth it. */
const WORTH_AN_INDEX = 1_000;

interface VectorHit {
  patternId: string;
  language: string;
  similarity: number;
}

/** Can this database compare vectors itself? Makes the extension where it may. */
export async function hasPgvector(database: Queryable, log: Logger): Promise<boolean> {
  const [there] = await database.rows<{ installed: string | null }>(
    `select installed_version as installed from pg_available_extensions where name = 'vector'`,
  );
  if (there === undefined) return false;
  if (there.installed !== null) return true;
  try {
    await database.rows('create extension if not exists vector');
    return true;
  } catch (error) {
    log.warn(
      { error },
      'pgvector is on this server, but may not be created: vectors are compared in this process',
    );
    return false;
  }
}

/**
 * The nearest vectors by pgvector: what is stored as `real[]` is compared as `vector`, by an HNSW index over the rows
 * of one model once there are enough. Up to date by itself.
 */
export function pgvectorIndex(database: Queryable, model: string, log: Logger): VectorIndex {
  const indexed = new Set<number>();
  return {
    async nearest(vector, limit) {
      const dimension = vector.length;
      if (!indexed.has(dimension) && (await isWorthAnIndex(database, model, dimension))) {
        // Once, whatever comes of it: without an index all vectors are compared, which is slower and as right.
        indexed.add(dimension);
        await makeIndex(database, model, dimension, log);
      }
      const rows = await database.rows<VectorHit>(nearestStatement(model, dimension), [
        JSON.stringify(vector),
        limit,
      ]);
      if (rows.length === 0) await refuseOtherDimension(database, model, dimension);
      return rows;
    },
  };
}

// The model stands in the text, not among the values: only then is the partial index taken. A dimension is a whole
// number by its making.
function nearestStatement(model: string, dimension: number): string {
  const asked = `$1::vector(${dimension})`;
  const distance = `(vector::vector(${dimension})) <=> ${asked}`;
  return `select pattern_id as "patternId", language, 1 - (${distance}) as similarity from pattern_vectors
    where ${ofModel(model, dimension)} order by ${distance} limit $2`;
}

async function isWorthAnIndex(database: Queryable, model: string, dimension: number): Promise<boolean> {
  if (dimension > MAX_INDEXED) return false;
  const [row] = await database.rows<{ count: number }>(
    `select count(*)::int as count from pattern_vectors where ${ofModel(model, dimension)}`,
  );
  return (row?.count ?? 0) >= WORTH_AN_INDEX;
}

async function makeIndex(database: Queryable, model: string, dimension: number, log: Logger): Promise<void> {
  const name = `pattern_vectors_${createHash('sha256').update(`${model}/${dimension}`).digest('hex').slice(0, 16)}`;
  const text = `create index if not exists ${name} on pattern_vectors
    using hnsw ((vector::vector(${dimension})) vector_cosine_ops) where ${ofModel(model, dimension)}`;
  try {
    await database.rows(text);
  } catch (error) {
    log.warn({ error, model, dimension }, 'no index over the vectors of scam patterns could be made');
  }
}

async function refuseOtherDimension(database: Queryable, model: string, dimension: number): Promise<void> {
  const text = 'select dimension from pattern_vectors where model = $1 limit 1';
  const [row] = await database.rows<{ dimension: number }>(text, stored([model]));
  if (row === undefined || row.dimension === dimension) return;
  const message = `the vectors of the knowledge base have ${row.dimension} dimensions, that of the message ${dimension}: import the patterns with --embed-again`;
  throw new CasefileError('dimension_mismatch', message);
}

function ofModel(model: string, dimension: number): string {
  const [plain = ''] = stored([model]);
  return `model = '${plain.replaceAll("'", "''")}' and dimension = ${dimension}`;
}

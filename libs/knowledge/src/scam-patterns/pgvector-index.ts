import { createHash } from 'node:crypto';
import { CasefileError, toStored, type Logger } from '@casefile/contracts';
import type { Queryable } from '@casefile/store';
import type { VectorIndex } from './scam-pattern-base.js';

/** Most dimensions of a pgvector HNSW index; larger vectors are compared one by one. */
const MAX_INDEXED = 2_000;
/** Fewest vectors for an index. Building one delays the first search. */
const WORTH_AN_INDEX = 1_000;

interface VectorHit {
  patternId: string;
  language: string;
  similarity: number;
}

/** Returns whether this database can compare vectors. Creates the extension if permitted. */
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
 * Finds the nearest vectors with pgvector. Vectors stored as `real[]` are compared as `vector`, with an HNSW
 * index over the rows of one model once there are enough. Postgres keeps the index current.
 */
export function pgvectorIndex(database: Queryable, model: string, log: Logger): VectorIndex {
  const indexed = new Set<number>();
  return {
    async nearest(vector, limit) {
      const dimension = vector.length;
      if (!indexed.has(dimension) && (await isWorthAnIndex(database, model, dimension))) {
        // Tried only once: without an index all vectors are compared, which is slower but equally correct.
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

// The model is part of the statement text, because only then Postgres uses the partial index. A dimension is
// always a whole number.
function nearestStatement(model: string, dimension: number): string {
  const queryVector = `$1::vector(${dimension})`;
  const distance = `(vector::vector(${dimension})) <=> ${queryVector}`;
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
  const [row] = await database.rows<{ dimension: number }>(text, toStored([model]));
  if (row === undefined || row.dimension === dimension) return;
  const message = `the vectors of the knowledge base have ${row.dimension} dimensions, that of the message ${dimension}: import the patterns with --embed-again`;
  throw new CasefileError('dimension_mismatch', message);
}

function ofModel(model: string, dimension: number): string {
  const [plain = ''] = toStored([model]);
  return `model = '${plain.replaceAll("'", "''")}' and dimension = ${dimension}`;
}

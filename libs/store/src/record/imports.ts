import {
  CasefileError,
  importListSchema,
  importStateSchema,
  MAX_IMPORT_CRASHES,
  MOST_IMPORT_BYTES,
  MOST_IMPORTS,
  storableJson,
  type ClaimedImport,
  type ImportEnd,
  type ImportLease,
  type ImportLine,
  type ImportProblem,
  type Imports,
  type JsonObject,
  type NewImport,
} from '@casefile/contracts';
import type { Database, Queryable } from '../database.js';
import { assignments, insertInto } from '../columns.js';
import { lostAfter, numberLeases } from '../hot/units.js';
import { isUuid, rowSet, WithClause } from '../row-set.js';
import { recordOfSchema } from '../rows.js';

const UNFINISHED = `('receiving', 'waiting', 'running')`;
// Removes imports whose client has not finished after an hour.
const REMOVE_OLD = `
  delete from imports where state = 'receiving' and created_at < now() - interval '1 hour'
    or state in ('done', 'failed') and done_at < now() - interval '30 days'`;
const COUNT = `select count(*)::int as count, coalesce(sum(bytes), 0)::float8 as bytes from imports where state in ${UNFINISHED}`;
const OPEN = `${insertInto('imports', { id: '$1::uuid', kind: '$2' })} on conflict (id) do nothing`;
const ADD_PIECE = `
  with receiving as (select id from imports where id = $1 and state = 'receiving' for update),
  added as (
    insert into import_pieces (import_id, file, piece, name, bytes)
    select r.id, $2::int, $3::int, $4::text, $5::bytea from receiving r on conflict do nothing returning length(bytes) as size)
  update imports i set bytes = i.bytes + coalesce((select size from added), 0)
  from receiving r where i.id = r.id returning i.id`;
const READY = `
  update imports set state = 'waiting', source = $2, origin = $3, options = $4::json where id = $1 and state = 'receiving'`;
const DISCARD = `delete from imports where id = $1 and state = 'receiving'`;

const NEXT = `
  select i.id, i.state, i.crashes from imports i
  where (i.state = 'waiting' or i.state = 'running' and i.lease_until < now())
    and not i.id = any($1::uuid[])
    and not exists (
      select 1 from imports o where o.kind = i.kind and o.state in ('waiting', 'running')
        and (o.created_at, o.id) < (i.created_at, i.id))
  order by i.created_at, i.id limit 1 for update of i skip locked`;
const TAKE = `
  update imports set state = 'running', epoch = epoch + 1, crashes = $2, progress = null, lines = '[]', started_at = now(),
    lease_until = now() + $3::float8 * interval '1 ms'
  where id = $1 returning id, kind, source, origin, options, epoch`;
const FILES =
  'select min(name) as name, sum(length(bytes))::float8 as size from import_pieces where import_id = $1 group by file order by file';
const PIECE = 'select bytes from import_pieces where import_id = $1 and file = $2 and piece = $3';

const LEASES = rowSet('request_rows', { i: 'int', import_id: 'uuid', epoch: 'int' });
const RENEW = `
  update imports i set ${assignments('imports', { lease_until: "now() + $1::float8 * interval '1 ms'" })}
  from request_rows q
  where i.id = q.import_id and i.epoch = q.epoch and i.state = 'running' returning q.i`;
const HELD = `where id = $1 and epoch = $2 and state = 'running'`;
const REPORT = `
  update imports set ${assignments('imports', { progress: '$3::json', lines: '$4::json' })}
  ${HELD} returning id`;
const END = `
  update imports
  set ${assignments('imports', {
    state: '$3',
    lines: '$4::json',
    complete: '$5',
    problem: '$6::json',
    progress: 'null',
    bytes: '0',
    lease_until: 'null',
    done_at: 'now()',
  })}
  ${HELD} returning id`;
const CRASHED = `
  update imports set state = 'failed', problem = $2::json, progress = null, bytes = 0, lease_until = null, done_at = now()
  where id = $1`;
const REMOVE_FILES = 'delete from import_pieces where import_id = $1';
const RELEASE = `update imports set state = 'waiting', lease_until = null ${HELD}`;

/** Imports into knowledge bases as durable work, in Postgres. */
export function postgresImports(database: Database): Imports {
  return {
    open: (id, kind) => open(database, id, kind),
    addPiece: async (id, { file, piece, name, bytes }) => {
      const added = isUuid(id) ? await database.rows(ADD_PIECE, [id, file, piece, text(name), bytes]) : [];
      if (added.length === 0) throw new CasefileError('conflict', `the import ${id} receives no files`);
    },
    ready: async ({ id, source, origin, options }) =>
      void (await database.rows(READY, [id, text(source), text(origin), storableJson(options)])),
    discard: async (id) => void (await database.rows(DISCARD, [id])),
    get: async (id) => {
      const [row] = isUuid(id) ? await database.rows<object>(GET, [id]) : [];
      return row === undefined ? null : stateOf(row);
    },
    list: async (limit) => (await database.rows<object>(LIST, [limit])).map((row) => listedOf(row)),
    claim: async (leaseMs, except = []) => {
      for (;;) {
        const claimed = await database.transaction((tx) => claim(tx, leaseMs, except));
        if (claimed !== 'ended') return claimed;
      }
    },
    renew: (leases, leaseMs) => {
      const statement = new WithClause(leaseMs).rows(LEASES, numberLeases(leases));
      return lostAfter(database, leases, statement.statement(RENEW));
    },
    pieces: (id, file) => pieces(database, id, file),
    report: async ({ importId, epoch }, { progress, lines }) => {
      const said = progress === null ? null : storableJson({ ...progress });
      return (await database.rows(REPORT, [importId, epoch, said, linesText(lines)])).length > 0;
    },
    end: (lease, lines, end) => database.transaction((tx) => endImport(tx, lease, lines, end)),
    release: async ({ importId, epoch }) => void (await database.rows(RELEASE, [importId, epoch])),
  };
}

const GET = 'select *, id as import_id, epoch as attempt from imports where id = $1';
const stateOf = recordOfSchema(importStateSchema);
const LIST = `
  select id as import_id, kind, source, state, epoch as attempt, progress, complete, problem, created_at, started_at, done_at
  from imports order by created_at desc, id desc limit $1`;
const listedOf = recordOfSchema(importListSchema.shape.imports.element);

async function open(database: Database, id: string, kind: string): Promise<void> {
  await database.rows(REMOVE_OLD);
  const [openImports] = await database.rows<{ count: number; bytes: number }>(COUNT);
  if (
    openImports !== undefined &&
    (openImports.count >= MOST_IMPORTS || openImports.bytes >= MOST_IMPORT_BYTES)
  )
    throw new CasefileError(
      'overloaded',
      `${openImports.count} imports with ${Math.round(openImports.bytes / 1_000_000)} MB have not ended yet: try again when some have`,
      { retryable: true, retryAfterMs: 30_000 },
    );
  await database.rows(OPEN, [id, kind]);
}

async function* pieces(database: Database, id: string, file: number): AsyncGenerator<Uint8Array> {
  for (let piece = 0; ; piece += 1) {
    const [row] = await database.rows<{ bytes: Buffer }>(PIECE, [id, file, piece]);
    if (row === undefined) return;
    yield row.bytes;
  }
}

async function claim(
  tx: Queryable,
  leaseMs: number,
  except: readonly string[],
): Promise<ClaimedImport | 'ended' | null> {
  const [next] = await tx.rows<{ id: string; state: string; crashes: number }>(NEXT, [except]);
  if (next === undefined) return null;
  const crashes = next.crashes + (next.state === 'running' ? 1 : 0);
  if (crashes >= MAX_IMPORT_CRASHES) {
    const detail = `the process that imported it ended ${crashes} times before it was done`;
    const problem: ImportProblem = { reasonCode: 'crashed_repeatedly', detail };
    await tx.rows(CRASHED, [next.id, storableJson({ ...problem })]);
    await tx.rows(REMOVE_FILES, [next.id]);
    return 'ended';
  }
  const [taken] = await tx.rows<NewImport & { epoch: number }>(TAKE, [next.id, crashes, leaseMs]);
  const files = await tx.rows<{ name: string; size: number }>(FILES, [next.id]);
  const { epoch, ...request } = taken!;
  return { lease: { importId: next.id, epoch }, request, files };
}

async function endImport(
  tx: Queryable,
  { importId, epoch }: ImportLease,
  lines: readonly ImportLine[],
  end: ImportEnd,
): Promise<boolean> {
  const failed = 'problem' in end;
  const ended = await tx.rows(END, [
    importId,
    epoch,
    failed ? 'failed' : 'done',
    linesText(lines),
    failed ? false : end.complete,
    failed ? storableJson(end.problem as unknown as JsonObject) : null,
  ]);
  if (ended.length > 0) await tx.rows(REMOVE_FILES, [importId]);
  return ended.length > 0;
}

function linesText(lines: readonly ImportLine[]): string {
  return storableJson(lines.map((line) => ({ ...line })));
}

/** Returns the text without characters that the database cannot store. */
function text<T extends string | null>(value: T): T {
  return JSON.parse(storableJson(value)) as T;
}

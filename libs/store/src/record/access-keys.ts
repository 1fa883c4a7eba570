import {
  CasefileError,
  toStored,
  accessKeySchema,
  type AccessKey,
  type AccessKeys,
  type Act,
  type Json,
  type NewAccessKey,
  type StoredAccessKey,
} from '@casefile/contracts';
import { lockKey, recordAct } from '../admin/acts.js';
import type { AnswerWatch } from '../answer-watch.js';
import { copyColumns, insertInto, tableColumns } from '../columns.js';
import type { Database, Queryable } from '../database.js';
import { rowSet, WithClause } from '../row-set.js';
import { recordBySchema } from '../rows.js';

const ANY = 'select exists (select from access_keys) as any';
const FIND = `
  select id, name, sha256, role, scopes, limits, per_minute as "perMinute",
    revoked_at is null and coalesce(expires_at > now(), true) and coalesce(overlap_until > now(), true) as "isValid",
    coalesce(last_used_at > now() - interval '1 minute', false) as "isNoted"
  from access_keys where id = $1`;
const NOTE_USE = `
  update access_keys set last_used_at = now()
  where id = $1 and coalesce(last_used_at < now() - interval '1 minute', true)`;

// Uses the partial index `events_of_senders`. Replays and shadow runs have the alert of another run, and only that
// one is named by the event.
const SPENT = `
  select coalesce(sum(x.cost_usd), 0)::float8 as usd
  from events e join runs r on r.id = e.run_id and r.alert_id::text = e.data ->> 'alertId'
    join llm_interactions x on x.run_id = r.id and x.read_from is null
  where e.type = 'alert.accepted' and e.data ->> 'sender' = $1 and e.at >= $2::timestamptz`;

const shown = recordBySchema('access_keys', accessKeySchema);
const LIST = 'select * from access_keys order by created_at desc, id';
const READ = 'select * from access_keys where id = $1';
const IS_TAKEN = 'select from access_keys where name = $1 and revoked_at is null and replaced_by is null';
const NEW = [
  'id',
  'name',
  'sha256',
  'role',
  'scopes',
  'limits',
  'per_minute',
  'expires_at',
  'created_by',
  'rotated_from',
] as const;
const ROWS = rowSet('given', tableColumns('access_keys', ...NEW));
const ADD = `${insertInto('access_keys', copyColumns('g', ...NEW))} from given g returning *`;
const REPLACE = `
  update access_keys set replaced_by = $2, overlap_until = now() + make_interval(mins => $3::int) where id = $1`;
const REVOKE = 'update access_keys set revoked_at = now() where id = $1 returning *';

/** Keys in Postgres: read by the guard of each service, and changed by the console and the command line. */
export class PostgresAccessKeys implements AccessKeys {
  /**
   * @param guard The connection of the guard, so that checks of keys do not wait for other work.
   */
  constructor(
    private readonly database: Database,
    private readonly guard: Database,
    private readonly watch: AnswerWatch,
  ) {}

  async any(): Promise<boolean> {
    const [row] = await this.watch.within(() => this.guard.rows<{ any: boolean }>(ANY));
    return row?.any === true;
  }

  async find(id: string): Promise<StoredAccessKey | null> {
    const [row] = await this.watch.within(() => this.guard.rows<StoredAccessKey>(FIND, [id]));
    return row ?? null;
  }

  async noteUse(id: string): Promise<void> {
    await this.database.rows(NOTE_USE, [id]);
  }

  async spentSince(name: string, since: string): Promise<number> {
    const [row] = await this.watch.within(() => this.database.rows<{ usd: number }>(SPENT, [name, since]));
    return row?.usd ?? 0;
  }

  async list(): Promise<AccessKey[]> {
    return (await this.database.rows(LIST)).map(shown);
  }

  create(...args: Parameters<AccessKeys['create']>): Promise<AccessKey> {
    return this.database.transaction((tx) => create(tx, ...toStored(args)));
  }

  rotate(...args: Parameters<AccessKeys['rotate']>): Promise<AccessKey | null> {
    return this.database.transaction((tx) => rotate(tx, ...toStored(args)));
  }

  revoke(...args: Parameters<AccessKeys['revoke']>): Promise<AccessKey | null> {
    return this.database.transaction((tx) => revoke(tx, ...toStored(args)));
  }
}

async function create(tx: Queryable, key: NewAccessKey, act: Act): Promise<AccessKey> {
  const { id, name, role, scopes, expiresAt } = key;
  await lockKeys(tx);
  if ((await tx.rows(IS_TAKEN, [name])).length > 0)
    throw new CasefileError(
      'conflict',
      `a key has the name ${name}: rotate or revoke it, or choose another name`,
    );
  await note(tx, act, 'key.created', { keyId: id, name, role, scopes: [...scopes], expiresAt });
  return add(tx, { ...key, createdBy: act.by });
}

async function rotate(
  tx: Queryable,
  ...[id, fresh, overlapMinutes, act]: Parameters<AccessKeys['rotate']>
): Promise<AccessKey | null> {
  await lockKeys(tx);
  const old = await read(tx, id);
  if (old === null) return null;
  if (old.revokedAt !== null) throw new CasefileError('conflict', `the key ${id} is revoked: create another`);
  if (old.replacedBy !== null)
    throw new CasefileError('conflict', `the key ${id} was rotated before: rotate ${old.replacedBy}`);
  const { name } = old;
  await note(tx, act, 'key.rotated', { keyId: id, name, replacedBy: fresh.id, overlapMinutes });
  await tx.rows(REPLACE, [id, fresh.id, overlapMinutes]);
  const expiresAt = fresh.expiresAt ?? old.expiresAt;
  return add(tx, { ...old, ...fresh, expiresAt, createdBy: act.by, rotatedFrom: id });
}

async function revoke(tx: Queryable, id: string, act: Act): Promise<AccessKey | null> {
  await lockKeys(tx);
  const key = await read(tx, id);
  if (key === null || key.revokedAt !== null) return key;
  await note(tx, act, 'key.revoked', { keyId: id, name: key.name });
  const [row] = await tx.rows(REVOKE, [id]);
  return shown(row!);
}

async function read(tx: Queryable, id: string): Promise<AccessKey | null> {
  const [row] = await tx.rows(READ, [id]);
  return row === undefined ? null : shown(row);
}

async function add(
  tx: Queryable,
  key: NewAccessKey & { createdBy: string; rotatedFrom?: string },
): Promise<AccessKey> {
  const { text, params } = new WithClause().rows(ROWS, [key]).statement(ADD);
  const [row] = await tx.rows(text, params);
  return shown(row!);
}

/** @throws CasefileError `conflict` if the act is repeated: the secret of its key was shown once. */
async function note(
  tx: Queryable,
  act: Act,
  type: string,
  data: Record<string, Json> & { name: string },
): Promise<void> {
  if (!(await recordAct(tx, { ...act, type, subject: `key ${data.name}`, data })))
    throw new CasefileError('conflict', `the act "${act.actId}" was done before`);
}

/** Acts on keys are done one after another. */
const lockKeys = (tx: Queryable): Promise<void> => lockKey(tx, 'access keys');

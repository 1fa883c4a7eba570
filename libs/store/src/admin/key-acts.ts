import {
  CasefileError,
  toStored,
  type AccessKey,
  type AccessKeys,
  type Act,
  type IntakeLimits,
  type Json,
  type Role,
  type Scope,
} from '@casefile/contracts';
import { Prisma, type AccessKey as Row } from '../generated/admin/client.js';
import { recordAct, statementsIn, type AdminTransaction } from './acts.js';
import type { Administration } from './administration.js';

type KeyActs = Pick<AccessKeys, 'list' | 'create' | 'rotate' | 'revoke'>;

/** Lists, creates, rotates and revokes keys, for the console and the command line. */
export function keyActs(administer: Administration): KeyActs {
  return {
    list: () =>
      administer(async (client) =>
        (await client.accessKey.findMany({ orderBy: [{ createdAt: 'desc' }, { id: 'asc' }] })).map(shown),
      ),
    create: (...given) => administer((client) => client.$transaction((tx) => create(tx, ...toStored(given)))),
    rotate: (...given) => administer((client) => client.$transaction((tx) => rotate(tx, ...toStored(given)))),
    revoke: (...given) => administer((client) => client.$transaction((tx) => revoke(tx, ...toStored(given)))),
  };
}

async function create(
  tx: AdminTransaction,
  ...[key, act]: Parameters<AccessKeys['create']>
): Promise<AccessKey> {
  const { id, name, sha256, role, scopes, limits, perMinute, expiresAt } = key;
  await lock(tx);
  if ((await tx.accessKey.count({ where: { name, revokedAt: null, replacedBy: null } })) > 0)
    throw new CasefileError(
      'conflict',
      `a key has the name ${name}: rotate or revoke it, or choose another name`,
    );
  await note(tx, act, 'key.created', { keyId: id, name, role, scopes: [...scopes], expiresAt });
  const row = await tx.accessKey.create({
    data: {
      id,
      name,
      sha256,
      role,
      scopes: [...scopes],
      limits: limits ?? Prisma.DbNull,
      perMinute,
      expiresAt,
      createdBy: act.by,
    },
  });
  return shown(row);
}

async function rotate(
  tx: AdminTransaction,
  ...[id, fresh, overlapMinutes, act]: Parameters<AccessKeys['rotate']>
): Promise<AccessKey | null> {
  await lock(tx);
  const old = await tx.accessKey.findUnique({ where: { id } });
  if (old === null) return null;
  if (old.revokedAt !== null) throw new CasefileError('conflict', `the key ${id} is revoked: create another`);
  if (old.replacedBy !== null)
    throw new CasefileError('conflict', `the key ${id} was rotated before: rotate ${old.replacedBy}`);
  const { name, role, scopes, limits, perMinute } = old;
  await note(tx, act, 'key.rotated', { keyId: id, name, replacedBy: fresh.id, overlapMinutes });
  await tx.$executeRaw`
    update access_keys set replaced_by = ${fresh.id}, overlap_until = now() + make_interval(mins => ${overlapMinutes}::int)
    where id = ${id}`;
  const row = await tx.accessKey.create({
    data: {
      id: fresh.id,
      name,
      sha256: fresh.sha256,
      role,
      scopes,
      limits: limits ?? Prisma.DbNull,
      perMinute,
      expiresAt: fresh.expiresAt ?? old.expiresAt,
      createdBy: act.by,
      rotatedFrom: id,
    },
  });
  return shown(row);
}

async function revoke(
  tx: AdminTransaction,
  ...[id, act]: Parameters<AccessKeys['revoke']>
): Promise<AccessKey | null> {
  await lock(tx);
  const key = await tx.accessKey.findUnique({ where: { id } });
  if (key === null || key.revokedAt !== null) return key === null ? null : shown(key);
  await note(tx, act, 'key.revoked', { keyId: id, name: key.name });
  await tx.$executeRaw`update access_keys set revoked_at = now() where id = ${id}`;
  return shown(await tx.accessKey.findUniqueOrThrow({ where: { id } }));
}

/** @throws CasefileError `conflict` if the act is repeated: the secret of its key was shown once. */
async function note(
  tx: AdminTransaction,
  act: Act,
  type: string,
  data: Record<string, Json> & { name: string },
): Promise<void> {
  const subject = `key ${data.name}`;
  if (!(await recordAct(statementsIn(tx), { ...act, type, subject, data })))
    throw new CasefileError('conflict', `the act "${act.actId}" was done before`);
}

/** Acts on keys are done one after another. */
async function lock(tx: AdminTransaction): Promise<void> {
  await tx.$executeRaw`select pg_advisory_xact_lock(hashtextextended('access keys', 12))`;
}

const time = (at: Date | null): string | null => at?.toISOString() ?? null;

function shown(row: Row): AccessKey {
  const { id, name, perMinute, createdBy, createdAt, rotatedFrom, replacedBy } = row;
  return {
    id,
    name,
    role: row.role as Role | null,
    scopes: row.scopes as Scope[],
    limits: row.limits as IntakeLimits as AccessKey['limits'],
    perMinute,
    expiresAt: time(row.expiresAt),
    createdBy,
    createdAt: createdAt.toISOString(),
    lastUsedAt: time(row.lastUsedAt),
    revokedAt: time(row.revokedAt),
    rotatedFrom,
    replacedBy,
    overlapUntil: time(row.overlapUntil),
  };
}

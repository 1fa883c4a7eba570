import {
  SESSION_HOURS,
  toStored,
  type NewSession,
  type SessionPerson,
  type Sessions,
  type ShownSession,
} from '@casefile/contracts';
import { recordAct } from '../admin/acts.js';
import type { Database, Queryable } from '../database.js';
import { isUuid } from '../row-set.js';
import { recordOf } from '../rows.js';

/** Sessions of one person at the same time. A further sign-in ends the oldest. */
const MOST_OF_PERSON = 20;
/** Sessions that a list returns. */
const MOST_LISTED = 1_000;
/** Characters of a browser's name that are stored. */
const USER_AGENT_LENGTH = 300;

const IDLE = `interval '${SESSION_HOURS.idle} hours'`;
const SHOWN = 'id, source, subject, name, role, groups, created_at, last_seen_at, expires_at, user_agent';
const IS_VALID = `expires_at > now() and last_seen_at > now() - ${IDLE}`;

const ADD = `
  insert into sign_in_sessions (token_hash, source, subject, name, role, groups, user_agent, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, now() + interval '${SESSION_HOURS.total} hours') returning ${SHOWN}`;
const FORGET_EXPIRED = `delete from sign_in_sessions where expires_at <= now()`;
const FORGET_OLDEST = `
  delete from sign_in_sessions where token_hash in (
    select token_hash from sign_in_sessions where source = $1 and subject = $2
    order by created_at desc, token_hash offset ${MOST_OF_PERSON})`;
const FIND = `
  select id, source, subject, name, role, groups, last_seen_at < now() - interval '1 minute' as stale
  from sign_in_sessions where token_hash = $1 and ${IS_VALID}`;
const TOUCH = `
  update sign_in_sessions set last_seen_at = now()
  where token_hash = $1 and last_seen_at < now() - interval '1 minute'`;
const FORGET_FINISHED = `delete from used_sign_ins where used_at < now() - interval '10 minutes'`;
const FINISH =
  'insert into used_sign_ins (state_hash) values ($1) on conflict do nothing returning state_hash';
const LIST = `
  select ${SHOWN} from sign_in_sessions where ${IS_VALID}
  order by created_at desc, id limit ${MOST_LISTED}`;
const END = `delete from sign_in_sessions where token_hash = $1 returning ${SHOWN}`;
const REVOKE = `delete from sign_in_sessions where id = $1 returning ${SHOWN}`;

const shown = recordOf<ShownSession>()([
  'id',
  'source',
  'subject',
  'name',
  'role',
  'groups',
  'createdAt',
  'lastSeenAt',
  'expiresAt',
  'userAgent',
]);

/** Creates the sign-in sessions of a database. */
export function postgresSessions(database: Database): Sessions {
  return {
    open: (session, replaces) => database.transaction((tx) => open(tx, toStored(session), replaces)),
    find: async (tokenHash) => {
      const [session] = await database.rows<SessionPerson & { stale: boolean }>(FIND, [tokenHash]);
      if (session === undefined) return null;
      const { stale, ...person } = session;
      if (stale) await database.rows(TOUCH, [tokenHash]);
      return person;
    },
    finish: async (stateHash) => {
      await database.rows(FORGET_FINISHED);
      return (await database.rows(FINISH, [stateHash])).length > 0;
    },
    list: async () => (await database.rows<object>(LIST)).map(shown),
    end: (tokenHash) =>
      database.transaction(async (tx) => {
        const [row] = await tx.rows<object>(END, [tokenHash]);
        if (row === undefined) return false;
        const ended = shown(row);
        await record(tx, 'session.ended', ended, ended.name, '');
        return true;
      }),
    revoke: async (id, by, reason) =>
      isUuid(id)
        ? database.transaction(async (tx) => {
            const [row] = await tx.rows<object>(REVOKE, [id]);
            if (row === undefined) return null;
            const ended = shown(row);
            await record(tx, 'session.revoked', ended, toStored(by), toStored(reason));
            return ended;
          })
        : null,
  };
}

async function open(
  tx: Queryable,
  { tokenHash, source, subject, name, role, groups, userAgent }: NewSession,
  replaces: string | null,
): Promise<ShownSession> {
  if (replaces !== null) await tx.rows(END, [replaces]);
  await tx.rows(FORGET_EXPIRED);
  const values = [source, subject, name, role, groups, userAgent.slice(0, USER_AGENT_LENGTH)];
  const [added] = await tx.rows<object>(ADD, [tokenHash, ...values]);
  await tx.rows(FORGET_OLDEST, [source, subject]);
  const opened = shown(added ?? {});
  await record(tx, 'session.opened', opened, opened.name, '');
  return opened;
}

// The act's id is derived from the session's, so that a repeated request records nothing twice.
async function record(
  tx: Queryable,
  type: 'session.opened' | 'session.ended' | 'session.revoked',
  { id, name, role, source }: ShownSession,
  by: string,
  reason: string,
): Promise<void> {
  const data = { session: id, name, role, source };
  await recordAct(tx, { actId: `${type} ${id}`, type, subject: `session ${id}`, by, reason, data });
}

import type { AccessKeys, StoredAccessKey } from '@casefile/contracts';
import type { Database } from '../database.js';

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

/** Reads keys for the guard of each service. */
export function postgresAccessKeys(
  database: Database,
): Pick<AccessKeys, 'any' | 'find' | 'noteUse' | 'spentSince'> {
  return {
    any: async () => {
      const [row] = await database.rows<{ any: boolean }>(ANY);
      return row?.any === true;
    },
    find: async (id) => {
      const [row] = await database.rows<StoredAccessKey>(FIND, [id]);
      return row ?? null;
    },
    noteUse: async (id) => void (await database.rows(NOTE_USE, [id])),
    spentSince: async (name, since) => {
      const [row] = await database.rows<{ usd: number }>(SPENT, [name, since]);
      return row?.usd ?? 0;
    },
  };
}

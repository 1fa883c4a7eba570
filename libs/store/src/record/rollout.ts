import type { Rollout, RolloutState } from '@casefile/contracts';
import pg from 'pg';
import type { Database } from '../database.js';
import { asStoreError } from '../store-errors.js';

/** Channel that the triggers on the tables of a rollout notify. */
const CHANNEL = 'casefile_rollout';
const CONNECT_TIMEOUT_MS = 3_000;

/** Reads everything as one row, so that all parts are from the same moment. */
const READ = `
  select
    (select coalesce(json_agg(json_build_object('playbook', playbook, 'name', name, 'version', version, 'id', id,
        'sha256', sha256, 'state', state, 'moved', moved_by is not null) order by playbook, name, version), '[]')
      from prompt_versions where state in ('live', 'shadow') and unfit is null) as prompts,
    (select coalesce(json_agg(json_build_object('name', name, 'variant', variant, 'version', version, 'by', by,
        'reason', reason, 'latched', latched, 'changedAt', changed_at) order by name), '[]')
      from flags) as flags,
    (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'playbook', playbook, 'mode', mode,
        'arms', arms, 'share', share, 'limit', error_limit, 'salt', salt) order by started_at, id), '[]')
      from experiments where state = 'running') as experiments`;

/** Reads rolled-out changes in Postgres, and listens for the notifications of their tables. */
export function postgresRollout(database: Database): Rollout {
  return {
    read: async () => {
      const [row] = await database.rows<RolloutState>(READ);
      return row ?? { prompts: [], flags: [], experiments: [] };
    },
    listen: (changed, lost) => listen(database.pool.options.connectionString ?? '', changed, lost),
  };
}

async function listen(
  connectionString: string,
  changed: () => void,
  lost: (error: Error) => void,
): Promise<() => Promise<void>> {
  const client = new pg.Client({
    connectionString,
    application_name: 'casefile rollout',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  });
  let closed = false;
  const end = (error: Error) => {
    if (closed) return;
    closed = true;
    client.end().catch(() => undefined);
    lost(error);
  };
  client.on('notification', changed);
  client.on('error', end);
  client.on('end', () => end(new Error('the connection was closed')));
  try {
    await client.connect();
    await client.query(`listen ${CHANNEL}`);
  } catch (error) {
    closed = true;
    client.end().catch(() => undefined);
    throw asStoreError(error);
  }
  return async () => {
    closed = true;
    await client.end();
  };
}

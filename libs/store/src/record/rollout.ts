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
      from experiments where state = 'running') as experiments,
    (select coalesce(json_agg(json_build_object('version', r.version, 'playbook', r.playbook, 'points', r.points,
        'inForce', f.name is not null, 'of', json_build_object('strategy', r.strategy, 'prompts', r.prompts,
          'model', r.model, 'language', r.language, 'confidenceSource', r.confidence_source)) order by r.version), '[]')
      from recalibrations r left join flags f on f.name = 'recalibration.' || r.version and f.variant = 'on'
      where f.name is not null or exists (
        select from experiments e, json_array_elements(e.arms) arm
        where e.state = 'running' and (arm -> 'settings' ->> 'recalibration')::int = r.version)) as recalibrations`;

/** Reads rolled-out changes in Postgres, and listens for the notifications of their tables. */
export function postgresRollout(database: Database): Rollout {
  return {
    read: async () => {
      const [row] = await database.rows<RolloutState>(READ);
      return row ?? { prompts: [], flags: [], experiments: [], recalibrations: [] };
    },
    listen: (changed, lost) => listen(database.sessionUrl, changed, lost),
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

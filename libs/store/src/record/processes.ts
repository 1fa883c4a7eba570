import { storableJson, type Processes, type ProcessState } from '@casefile/contracts';
import type { Queryable } from '../database.js';
import { recordOf } from '../rows.js';

const REPORT = `
  with old as (delete from processes where seen_at < now() - interval '7 days' and id <> $1)
  insert into processes (id, services, version, host, pid, settings_digest, installation_digest, probes,
    rollout_age_ms)
  values ($1, $2, $3, $4, $5, $6, $7, $8::json, $9)
  on conflict (id) do update set seen_at = now(), settings_digest = $6, installation_digest = $7, probes = $8::json,
    rollout_age_ms = $9,
    changed_at = case when (processes.settings_digest, processes.installation_digest) is distinct from ($6, $7)
      then now() else processes.changed_at end`;

const STOPPED = 'update processes set stopped_at = now(), seen_at = now() where id = $1';

const LIST = `
  select id, services, version, host, pid, settings_digest, installation_digest, probes, rollout_age_ms, started_at, seen_at,
    changed_at, stopped_at,
    (extract(epoch from now() - seen_at) * 1000)::float8 as silent_ms
  from processes order by seen_at desc, id`;

/** Processes and their heartbeats, in Postgres. */
export function postgresProcesses(database: Queryable): Processes {
  return {
    report: async ({ settingsDigest, installationDigest, probes, rolloutAgeMs, ...process }) => {
      const { id, services, version, host, pid } = process;
      const values = [settingsDigest, installationDigest, storableJson([...probes]), rolloutAgeMs];
      await database.rows(REPORT, [id, services, version, host, pid, ...values]);
    },
    stopped: async (id) => void (await database.rows(STOPPED, [id])),
    list: async () => (await database.rows<object>(LIST)).map(processOf),
  };
}

const processOf = recordOf<ProcessState>()([
  'id',
  'services',
  'version',
  'host',
  'pid',
  'settingsDigest',
  'installationDigest',
  'probes',
  'rolloutAgeMs',
  'startedAt',
  'seenAt',
  'changedAt',
  'stoppedAt',
  'silentMs',
]);

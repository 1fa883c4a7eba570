import type { RolloutState, SharedSettingsReader } from '@casefile/contracts';
import { dataSourceOf, LIST_DATA_SOURCES } from '../admin/data-sources.js';
import { addedDestinationOf, LIST_ADDED_DESTINATIONS } from '../admin/destination-acts.js';
import type { Queryable } from '../database.js';
import { CURRENT_INSTALLATION, readableInstallation } from './installations.js';

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
        where e.state = 'running' and (arm -> 'settings' ->> 'recalibration')::int = r.version)) as recalibrations,
    (select coalesce(json_agg(one), '[]') from (${LIST_DATA_SOURCES}) one) as data_sources,
    (select coalesce(json_agg(one), '[]') from (${LIST_ADDED_DESTINATIONS}) one) as destinations,
    (${CURRENT_INSTALLATION}) as installation`;

interface SettingsRow extends RolloutState {
  data_sources: object[];
  destinations: object[];
  installation: unknown;
}

/** Reads the settings that all processes share, in Postgres. */
export function postgresSharedSettings(database: Queryable): SharedSettingsReader {
  return {
    read: async () => {
      const [row] = await database.rows<SettingsRow>(READ);
      const { data_sources: sources, destinations, installation, ...rollout } = row!;
      return {
        rollout,
        dataSources: sources.map(dataSourceOf),
        destinations: destinations.map(addedDestinationOf),
        installation: readableInstallation(installation),
      };
    },
  };
}

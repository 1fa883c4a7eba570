import { createHash } from 'node:crypto';
import { canonicalJson, installationSchema, storableJson, type Installations } from '@casefile/contracts';
import type { Queryable } from '../database.js';

const PUBLISH = `
  insert into installations (digest, description) values ($1, $2::json)
  on conflict (digest) do update set published_at = clock_timestamp()
  where installations.published_at < (select max(published_at) from installations)`;

const CURRENT = 'select description from installations order by published_at desc limit 1';

/** Descriptions of the installation, in Postgres. */
export function postgresInstallations(database: Queryable): Installations {
  return {
    publish: async (installation) => {
      const digest = createHash('sha256').update(canonicalJson(installation)).digest('hex');
      await database.rows(PUBLISH, [digest, storableJson(installation)]);
    },
    current: async () => {
      const [row] = await database.rows<{ description: unknown }>(CURRENT);
      const read = installationSchema.safeParse(row?.description);
      return read.success ? read.data : null;
    },
  };
}

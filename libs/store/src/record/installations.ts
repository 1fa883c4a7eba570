import { createHash } from 'node:crypto';
import {
  canonicalJson,
  installationSchema,
  storableJson,
  type Installation,
  type Installations,
} from '@casefile/contracts';
import type { Queryable } from '../database.js';

const PUBLISH = `
  insert into installations (digest, description) values ($1, $2::json)
  on conflict (digest) do update set published_at = clock_timestamp()
  where installations.published_at < (select max(published_at) from installations)`;

/** Selects the description of the current installation. */
export const CURRENT_INSTALLATION =
  'select description from installations order by published_at desc limit 1';

/** Descriptions of the installation, in Postgres. */
export function postgresInstallations(database: Queryable): Installations {
  return {
    publish: async (installation) => {
      const digest = createHash('sha256').update(canonicalJson(installation)).digest('hex');
      await database.rows(PUBLISH, [digest, storableJson(installation)]);
    },
  };
}

/** Returns a recorded description; null: this version of Casefile cannot read it. */
export function readableInstallation(description: unknown): Installation | null {
  const read = installationSchema.safeParse(description);
  return read.success ? read.data : null;
}

import { InvalidInput } from '@casefile/contracts';
import pg from 'pg';
import { asStoreError } from './store-errors.js';

/** Connections of a process besides those of its pool: of the guard, of the probe, and for notifications. */
const BESIDES_POOL = 3;
/** Smallest pool that the settings allow. */
const SMALLEST_POOL = 4;

/** Limits of the server for the current user. Postgres holds no superuser to the limits of roles and databases. */
const ALLOWED = `
  select current_user as role,
    case when rolsuper then total else least(total - reserved, nullif(datconnlimit, -1)) end as of_all,
    case when rolsuper then total
      else least(total - reserved, nullif(datconnlimit, -1), nullif(rolconnlimit, -1)) end as of_role
  from pg_roles, pg_database,
    (select current_setting('max_connections')::int as total,
      current_setting('superuser_reserved_connections')::int
        + coalesce(current_setting('reserved_connections', true)::int, 0) as reserved) as settings
  where rolname = current_user and datname = current_database()`;

/** Number of connections that an installation opens. */
export interface NeededConnections {
  /** Size of the pool of one process: the setting `store.connections`. */
  pool: number;
  /** Further connections of one process, for a queue in the same database. */
  queue: number;
  /** Processes of the installation if each service has its own. */
  processes: number;
}

/**
 * Proves that the server allows the connections of this process.
 * @returns the numbers, if it allows fewer than one process of each service needs; else null.
 * @throws InvalidInput that names `store.connections`; CasefileError `store_unreachable`.
 */
export async function proveConnections(
  databaseUrl: string,
  { pool, queue, processes }: NeededConnections,
): Promise<{ allowed: number; needed: number } | null> {
  const allowed = await readAllowed(databaseUrl);
  const besides = BESIDES_POOL + queue;
  const ofProcess = pool + besides;
  if (allowed.of_role < ofProcess) throw tooFew(allowed, besides);
  const needed = processes * ofProcess;
  return allowed.of_all >= needed ? null : { allowed: allowed.of_all, needed };
}

interface Allowed {
  role: string;
  of_all: number;
  of_role: number;
}

function tooFew({ role, of_role: most }: Allowed, besides: number): InvalidInput {
  const limit = `the database allows "${role}" ${most} connections, of which a process needs ${besides} besides its pool`;
  const message =
    most - besides < SMALLEST_POOL
      ? `expected a database that allows more connections (max_connections, or the limit of the role or the database): ${limit}`
      : `expected at most ${most - besides}: ${limit}`;
  return new InvalidInput([{ path: 'store.connections', message }], 'configuration');
}

async function readAllowed(connectionString: string): Promise<Allowed> {
  const client = new pg.Client({ connectionString, application_name: 'casefile-start' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Allowed>(ALLOWED);
    return rows[0]!;
  } catch (error) {
    throw asStoreError(error);
  } finally {
    await client.end();
  }
}

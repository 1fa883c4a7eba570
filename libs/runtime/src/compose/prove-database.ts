import type { Logger } from '@casefile/contracts';
import { proveConnections, proveRights } from '@casefile/store';
import type { Config } from '../config/read-config.js';

/** Connections of one process to a queue in Postgres. */
export const QUEUE_POOL = 6;

/**
 * Proves that the user of a named database has the rights of these services, and that the server allows the connections
 * of this process. Warns if it allows fewer than one process of each service needs.
 * @throws CasefileError `store_error` that names the missing rights; InvalidInput that names `store.connections`.
 */
export async function proveDatabase(
  config: Pick<Config, 'directUrl' | 'queueUrl' | 'settings' | 'ports'> & { databaseUrl: string },
  services: readonly string[],
  log: Logger,
): Promise<void> {
  const { databaseUrl, directUrl, queueUrl, settings, ports } = config;
  await proveRights(databaseUrl, services);
  // Behind a pooler, its limit counts. A direct command opens few connections, for a short time.
  if (directUrl !== undefined || services.length === 0) return;
  const lack = await proveConnections(databaseUrl, {
    pool: settings.store.connections,
    queue: queueUrl === null || queueUrl === databaseUrl ? QUEUE_POOL : 0,
    processes: Object.keys(ports).length,
  });
  if (lack !== null)
    log.warn(
      lack,
      'the database allows fewer connections than one process of each service needs: raise max_connections, or lower store.connections',
    );
}

import { until } from '@casefile/contracts/testing';
import type { PostgresStore } from '@casefile/store';
import type { ServiceProcess } from './service-processes.js';

/**
 * Stops a process by SIGSTOP at a moment when no transaction of its database writes. An open transaction would keep
 * readers of events waiting in all databases of the server, and with them other tests.
 */
export async function suspendProcess({ pid }: ServiceProcess, { database }: PostgresStore): Promise<void> {
  await until('the process stands still outside of a transaction', async () => {
    process.kill(pid!, 'SIGSTOP');
    const open = await database.rows(
      'select from pg_stat_activity where datname = current_database() and backend_xid is not null',
    );
    if (open.length === 0) return true;
    process.kill(pid!, 'SIGCONT');
    return false;
  });
}

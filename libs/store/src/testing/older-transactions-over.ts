import { until } from '@casefile/contracts/testing';
import { keptClient } from './kept-client.js';

/** Interval between checks, in ms. */
const LOOK_MS = 2;

/**
 * Waits until no transaction of this server is older than this call. Events become visible in order, so an
 * open transaction of any database on the server delays them, including those of other tests.
 */
export async function olderTransactionsOver(databaseUrl: string): Promise<void> {
  const client = await keptClient(databaseUrl);
  const { rows } = await client.query<{ xid: string }>('select pg_current_xact_id()::text as xid');
  const over = 'select pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8 as over';
  const isOver = async () => (await client.query<{ over: boolean }>(over, [rows[0]!.xid])).rows[0]!.over;
  await until('all older transactions of the server are over', isOver, LOOK_MS);
}

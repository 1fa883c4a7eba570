import { CasefileError, noTelemetry, silentLogger, type Logger, type Telemetry } from '@casefile/contracts';
import { gather } from '../gather.js';
import type { RecordStore } from '../record-store.js';
import { acceptAll } from './accept.js';
import { backlogOf } from './backlog.js';
import { claimAll } from './claim.js';
import { commitAll } from './commit.js';
import { Database } from './database.js';
import { buryAlert, dropBuriedAlerts, redriveRuns } from './dead-letters.js';
import { delivery, markDelivered, pendingDeliveries } from './deliveries.js';
import { intendAll } from './intend.js';
import { lead } from './leadership.js';
import { release, releaseToolCall, renew, renewToolCalls } from './leases.js';
import { openRun } from './open-run.js';
import { findScamRecord, importScamReports } from './scam-reports.js';
import { mayBeOneRow } from './store-error.js';
import { allDue, postpone, renudge, sweep } from './sweep.js';
import { claimToolCall, settleToolCall } from './tool-calls.js';

export interface PostgresStoreOptions {
  /** `postgres://...`, a unix socket as `?host=/folder`. The database is migrated already. */
  databaseUrl: string;
  /** Connections at most, 3 or more: one may be the leader's. */
  poolSize: number;
  log?: Logger;
  telemetry?: Telemetry;
}

// How well gathering works: items a flush.
const FLUSHES = 'casefile.store.flushes';
const FLUSHED_ITEMS = 'casefile.store.flushed_items';

/** Items a statement. Measured: above 200 the statement's time grows as fast as its items. */
const MAX_ITEMS = 200;
/** Measured through the whole flow: a second flush at once only makes both smaller, and each costs a commit. */
const MAX_FLUSHES = 1;

/** The record in Postgres. What is hot is gathered: one statement for all that waits. */
export function createPostgresStore(options: PostgresStoreOptions): RecordStore {
  const { databaseUrl, poolSize, log = silentLogger, telemetry = noTelemetry } = options;
  const database = new Database({ databaseUrl, poolSize, log });
  const gathered = <I, O>(name: string, flush: (items: I[]) => Promise<readonly (O | PromiseLike<O>)[]>) =>
    gather<I, O>({
      maxItems: MAX_ITEMS,
      maxFlushes: MAX_FLUSHES,
      splits: mayBeOneRow,
      flush: (items) => {
        telemetry.count(FLUSHES, { operation: name });
        telemetry.count(FLUSHED_ITEMS, { operation: name }, items.length);
        return flush(items);
      },
    });
  return {
    accept: gathered('accept', (requests) => acceptAll(database, requests)),
    openRun: (request) => openRun(database, request),
    claim: gathered('claim', (requests) => claimAll(database, requests)),
    renew: (leases, leaseMs) => renew(database, leases, leaseMs),
    intend: gathered('intend', (requests) => intendAll(database, requests)),
    commit: gathered('commit', (requests) => commitAll(database, requests)),
    release: (lease) => release(database, lease),
    claimToolCall: (id, leaseMs) => claimToolCall(database, id, leaseMs),
    renewToolCalls: (leases, leaseMs) => renewToolCalls(database, leases, leaseMs),
    settleToolCall: (lease, settlement) => settleToolCall(database, lease, settlement),
    releaseToolCall: (lease) => releaseToolCall(database, lease),
    sweep: (limit) => sweep(database, limit),
    allDue: (after, limit) => allDue(database, after, limit),
    renudge: (candidates) => renudge(database, candidates),
    postpone: (candidates, delayMs) => postpone(database, candidates, delayMs),
    pendingDeliveries: (limit, olderThanMs) => pendingDeliveries(database, limit, olderThanMs),
    delivery: (runId) => delivery(database, runId),
    markDelivered: (ids) => markDelivered(database, ids),
    buryAlert: (entry) => buryAlert(database, entry),
    dropBuriedAlerts: (ids) => dropBuriedAlerts(database, ids),
    redriveRuns: (runIds) => redriveRuns(database, runIds),
    lead: (name) => lead(database, name),
    backlog: backlogOf(database),
    ping: (timeoutMs) => ping(database, timeoutMs),
    close: () => database.close(),
    ...recordReader(database),
    find: (type, value) => findScamRecord(database, type, value),
    importAll: (reports) => importScamReports(database, reports),
  };
}

async function ping(database: Database, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const text = `The database did not answer within ${timeoutMs} ms.`;
    timer = setTimeout(
      () => reject(new CasefileError('store_unreachable', text, { retryable: true })),
      timeoutMs,
    );
  });
  try {
    await Promise.race([database.rows('select 1'), late]);
  } finally {
    clearTimeout(timer);
  }
}

import { noTelemetry, silentLogger, type FlowWrites, type Logger, type Telemetry } from '@casefile/contracts';
import { gather } from './gather.js';
import type { RecordStore } from './record-store.js';
import { acceptAll, openRun } from './hot/accept.js';
import { backlogOf, postgresProbes } from './record/probes.js';
import { postgresBatches } from './record/batches.js';
import { postgresBudgets } from './record/budget-states.js';
import { postgresCallShares, postgresProviderStates } from './record/provider-states.js';
import { claimWrite } from './hot/claim.js';
import { commitWrite } from './hot/commit.js';
import { Database } from './database.js';
import { postgresEngagementSessions } from './record/engagement-sessions.js';
import { buryAlert, dropBuriedAlerts, redriveRuns } from './record/dead-letters.js';
import {
  deliveredWrite,
  delivery,
  pendingDeliveries,
  lead,
  allDue,
  postpone,
  renudge,
  sweep,
} from './record/sweep.js';
import { intendForTool, intendWrite } from './hot/intend.js';
import { release, releaseToolCall, renew, renewToolCalls } from './hot/leases.js';
import { postgresFeedback } from './record/feedback.js';
import { postgresPromptSets } from './record/prompt-sets.js';
import { recordReader } from './record/record-reader.js';
import { resolvedAt } from './record/get-case.js';
import { postgresReusableAnswers } from './record/reusable-answers.js';
import { postgresSignals } from './record/signals.js';
import { postgresStoredResults } from './record/stored-results.js';
import { postgresToolPins } from './record/tool-pins.js';
import { mayBeOneRow } from './store-error.js';
import { claimToolCall, settleToolCall } from './hot/tool-calls.js';
import { MAX_ITEMS, WriteLane } from './write-lane.js';

export interface PostgresStoreOptions {
  /** `postgres://...`, a unix socket as `?host=/folder`. The database is migrated already. */
  databaseUrl: string;
  /** Connections at most, 3 or more beside those of live work: one may be the leader's. */
  poolSize: number;
  /** So many of them are for what runs of the lane `live` write, and nothing else ever holds one; 0, as left out: none is. R16. */
  liveConnections?: number;
  log?: Logger;
  telemetry?: Telemetry;
}

/** The record in Postgres, and the handle by which others keep their own tables over the same connections. */
export interface PostgresStore extends RecordStore {
  readonly database: Database;
}

/** The record in Postgres. What is hot is gathered: one statement for all that waits. */
export function createPostgresStore(options: PostgresStoreOptions): PostgresStore {
  const { databaseUrl, poolSize, liveConnections = 0, log = silentLogger, telemetry = noTelemetry } = options;
  const database = new Database({ databaseUrl, poolSize: poolSize - liveConnections, log });
  const lane = new WriteLane(database, telemetry);
  const live = liveConnections === 0 ? null : new Database({ databaseUrl, poolSize: liveConnections, log });
  return {
    database,
    ...flowWrites(database, lane, telemetry),
    ...(live === null ? {} : { ofLive: flowWrites(live, new WriteLane(live, telemetry), telemetry) }),
    openRun: (request) => openRun(database, request),
    sweep: (limit, cases) => sweep(database, limit, cases),
    allDue: (after, limit) => allDue(database, after, limit),
    renudge: (candidates) => renudge(database, candidates),
    postpone: (candidates, delayMs) => postpone(database, candidates, delayMs),
    pendingDeliveries: (limit, olderThanMs, playbooks) =>
      pendingDeliveries(database, limit, olderThanMs, playbooks),
    delivery: (runId) => delivery(database, runId),
    markDelivered: lane.entrance('delivered', deliveredWrite),
    buryAlert: (entry) => buryAlert(database, entry),
    dropBuriedAlerts: (ids) => dropBuriedAlerts(database, ids),
    redriveRuns: (runIds) => redriveRuns(database, runIds),
    lead: (name) => lead(database, name),
    resolvedAt: (caseId) => resolvedAt(database, caseId),
    backlog: backlogOf(database),
    ...postgresProbes(database),
    close: async () => void (await Promise.all([database.close(), live?.close()])),
    ...recordReader(database),
    ...postgresProviderStates(database),
    ...postgresCallShares(database),
    ...postgresBudgets(database),
    ...postgresEngagementSessions(database),
    ...postgresToolPins(database),
    ...postgresStoredResults(database),
    ...postgresBatches(database),
    ...postgresFeedback(database),
    ...postgresPromptSets(database),
    ...postgresSignals(database),
    ...postgresReusableAnswers(database),
  };
}

function flowWrites(database: Database, lane: WriteLane, telemetry: Telemetry): FlowWrites {
  return {
    // Takes several answers to and fro: beside the lane, so that the flow does not wait for it.
    accept: gather({
      maxItems: MAX_ITEMS,
      maxFlushes: 1,
      splits: mayBeOneRow,
      flush: (requests) => acceptAll(database, requests),
    }),
    claim: lane.entrance('claim', claimWrite(database)),
    renew: (leases, leaseMs) => renew(database, leases, leaseMs),
    intend: lane.entrance('intend', intendWrite(database, telemetry)),
    commit: lane.entrance('commit', commitWrite),
    release: (lease, pauseMs) => release(database, lease, pauseMs),
    intendForTool: (request) => intendForTool(database, telemetry, request),
    claimToolCall: (id, leaseMs) => claimToolCall(database, id, leaseMs),
    renewToolCalls: (leases, leaseMs) => renewToolCalls(database, leases, leaseMs),
    settleToolCall: (lease, settlement, more) => settleToolCall(database, lease, settlement, more),
    releaseToolCall: (lease) => releaseToolCall(database, lease),
  };
}

import {
  noTelemetry,
  silentLogger,
  type AcceptRequest,
  type CaseStore,
  type FlowWrites,
  type Logger,
  type Telemetry,
} from '@casefile/contracts';
import { acceptAll, openRun } from './hot/accept.js';
import { backlogOf, postgresProbes } from './record/probes.js';
import { postgresAccessKeys } from './record/access-keys.js';
import { postgresArmHealth } from './record/arm-health.js';
import { postgresErasures } from './erasure/erasures.js';
import { postgresAuditLog } from './record/audit.js';
import { postgresBatches } from './record/batches.js';
import { postgresBudgets } from './record/budget-states.js';
import { postgresCallMonths } from './record/call-months.js';
import { postgresProviders } from './record/providers.js';
import { administrationOf } from './admin/administration.js';
import { destinationActs } from './admin/destination-acts.js';
import { experimentActs } from './admin/experiments.js';
import { promptVersions } from './admin/prompt-versions.js';
import { recalibrations } from './admin/recalibrations.js';
import { keyActs } from './admin/key-acts.js';
import { flagActs } from './admin/flag-acts.js';
import { toolApprovals } from './admin/tool-approvals.js';
import { AnswerWatch } from './answer-watch.js';
import { Database } from './database.js';
import { postgresEvolutions } from './record/evolutions.js';
import { postgresEngagementSessions } from './record/engagement-sessions.js';
import { postgresDeadLetters } from './record/dead-letters.js';
import { postgresDeliveries } from './record/deliveries.js';
import { postgresDestinations } from './record/destinations.js';
import { lead } from './record/leadership.js';
import { postgresSweep } from './record/sweep.js';
import { postgresInteractions } from './hot/intend.js';
import { postgresUnits } from './hot/units.js';
import { postgresImports } from './record/imports.js';
import { postgresFeedback } from './record/feedback.js';
import { postgresPromptSets } from './record/prompt-sets.js';
import { installedPrompts } from './record/installed-prompts.js';
import { postgresInstallations } from './record/installations.js';
import { postgresProcesses } from './record/processes.js';
import { recordReader } from './record/record-reader.js';
import { postgresReusableAnswers } from './record/reusable-answers.js';
import { experimentRuns } from './record/experiment-runs.js';
import { postgresReviews } from './record/reviews.js';
import { postgresRollout } from './record/rollout.js';
import { postgresShadowRuns } from './record/shadow-runs.js';
import { postgresSchedules } from './record/schedules.js';
import { postgresSessions } from './record/sessions.js';
import { postgresSignals } from './record/signals.js';
import { postgresStoredResults } from './record/stored-results.js';
import { postgresToolPins } from './record/tool-pins.js';
import { postgresToolCalls } from './hot/tool-calls.js';
import { postgresHistory } from './record/history.js';
import { postgresQualityFigures } from './record/quality-figures.js';
import { WriteLane } from './write-lane.js';

export interface PostgresStoreOptions {
  /** `postgres://...`; a unix socket as `?host=/folder`. The database must already be migrated. */
  databaseUrl: string;
  /**
   * Maximum number of connections: at least 3 more than `liveConnections`, because the leader may hold one.
   */
  poolSize: number;
  /** Number of these connections reserved for writes of the lane `live`. Default: 0. */
  liveConnections?: number;
  /** Longest wait for a connection of the pool, in milliseconds. Default: 3 s. */
  connectTimeoutMs?: number;
  /** Key of the digests that stand in place of erased content. Default: empty. */
  erasureKey?: string;
  log?: Logger;
  telemetry?: Telemetry;
}

/** The record in Postgres, and the database handle through which other modules keep their own tables. */
export interface PostgresStore extends CaseStore {
  readonly database: Database;
}

/** Creates the record in Postgres. Frequent writes are batched: one statement for all waiting requests. */
export function createPostgresStore(options: PostgresStoreOptions): PostgresStore {
  const { databaseUrl, poolSize, liveConnections = 0, log = silentLogger, telemetry = noTelemetry } = options;
  const { connectTimeoutMs } = options;
  const pool = (size: number) => new Database({ databaseUrl, poolSize: size, connectTimeoutMs, log });
  const database = pool(poolSize - liveConnections);
  const live = liveConnections === 0 ? null : pool(liveConnections);
  const laneOver = (pool: Database) => new WriteLane(pool, telemetry);
  const lane = laneOver(database);
  // Senders repeat an alert, so intake need not wait for a server that answers nothing. Workers wait.
  const watch = new AnswerWatch(databaseUrl);
  const writes = flowWrites(database, { lane, watch }, telemetry);
  const backlog = backlogOf(database);
  const keys = postgresAccessKeys(database);
  const administer = administrationOf(database);
  return {
    database,
    ...(live === null ? {} : { ofLive: flowWrites(live, { lane: laneOver(live), watch }, telemetry) }),
    runs: {
      ...writes.runs,
      open: (request) => openRun(database, request),
      backlog: () => watch.within(backlog),
    },
    units: { ...writes.units, ...postgresSweep(database) },
    interactions: writes.interactions,
    callMonths: postgresCallMonths(database),
    toolCalls: writes.toolCalls,
    deliveries: postgresDeliveries(database, lane),
    destinations: { ...postgresDestinations(database), ...destinationActs(administer) },
    deadLetters: postgresDeadLetters(database),
    record: recordReader(database),
    providers: postgresProviders(database),
    budgets: postgresBudgets(database),
    engagements: postgresEngagementSessions(database),
    storedResults: postgresStoredResults(database),
    toolPins: { ...postgresToolPins(database), ...toolApprovals(administer) },
    batches: postgresBatches(database),
    feedback: postgresFeedback(database),
    reviews: postgresReviews(database),
    imports: postgresImports(database),
    prompts: postgresPromptSets(database),
    promptVersions: { ...installedPrompts(database), ...promptVersions(administer) },
    schedules: postgresSchedules(database),
    signals: postgresSignals(database),
    answers: postgresReusableAnswers(database),
    rollout: postgresRollout(database),
    flags: { ...postgresArmHealth(database), ...flagActs(administer) },
    experiments: {
      ...experimentActs(administer),
      ...experimentRuns(database),
      ...postgresShadowRuns(database),
    },
    evolutions: postgresEvolutions(database),
    installations: postgresInstallations(database),
    processes: postgresProcesses(database),
    qualityFigures: postgresQualityFigures(database),
    recalibrations: recalibrations(administer),
    history: postgresHistory(database),
    audit: postgresAuditLog(database),
    sessions: postgresSessions(database),
    keys: {
      ...keys,
      any: () => watch.within(keys.any),
      find: (id) => watch.within(() => keys.find(id)),
      spentSince: (name, since) => watch.within(() => keys.spentSince(name, since)),
      ...keyActs(administer),
    },
    erasures: postgresErasures(database, options.erasureKey ?? ''),
    lead: (name) => lead(database, name),
    ...postgresProbes(database),
    close: async () => {
      watch.close();
      await Promise.all([database.close(), live?.close()]);
    },
  };
}

function flowWrites(
  database: Database,
  { lane, watch }: { lane: WriteLane; watch: AnswerWatch },
  telemetry: Telemetry,
): FlowWrites {
  // Needs several round trips, so it runs alongside the lane and does not delay the flow.
  const accept = lane.batcher((requests: AcceptRequest[]) => acceptAll(database, requests));
  return {
    runs: { accept: (request) => watch.within(() => accept(request)) },
    units: postgresUnits(database, lane),
    interactions: postgresInteractions(database, lane, telemetry),
    toolCalls: postgresToolCalls(database),
  };
}

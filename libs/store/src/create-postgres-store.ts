import {
  noTelemetry,
  silentLogger,
  type CaseStore,
  type FlowWrites,
  type Logger,
  type Telemetry,
} from '@casefile/contracts';
import { postgresProbes } from './record/probes.js';
import { PostgresAccessKeys } from './record/access-keys.js';
import { postgresArmHealth } from './record/arm-health.js';
import { postgresErasures } from './erasure/erasures.js';
import { postgresAuditLog } from './record/audit.js';
import { postgresBatches } from './record/batches.js';
import { postgresBudgets } from './record/budget-states.js';
import { postgresChanges, workNotices } from './record/changes.js';
import { postgresCallMonths } from './record/call-months.js';
import { postgresProviders } from './record/providers.js';
import { administrationOf } from './admin/administration.js';
import { postgresDataSources } from './admin/data-sources.js';
import { destinationActs } from './admin/destination-acts.js';
import { experimentActs } from './admin/experiments.js';
import { promptVersions, postgresPromptSets, installedPrompts } from './record/prompts.js';
import { recalibrations } from './admin/recalibrations.js';
import { flagActs } from './admin/flag-acts.js';
import { PrismaToolPins } from './admin/tool-pins.js';
import { AnswerWatch } from './answer-watch.js';
import { Database } from './database.js';
import { postgresEvolutions } from './record/evolutions.js';
import { postgresEngagementSessions } from './record/engagement-sessions.js';
import { postgresDeadLetters } from './record/dead-letters.js';
import { PostgresDeliveries } from './record/deliveries.js';
import { postgresDestinations } from './record/destinations.js';
import { lead } from './record/leadership.js';
import { ReplicaReads } from './replica.js';
import { PostgresInteractions } from './hot/intend.js';
import { PostgresRuns } from './hot/runs.js';
import { PostgresUnits } from './hot/units.js';
import { postgresPageLinks } from './record/page-links.js';
import { postgresImports } from './record/imports.js';
import { postgresFeedback } from './record/feedback.js';
import { postgresInstallations } from './record/installations.js';
import { postgresProcesses } from './record/processes.js';
import { recordReader } from './record/record-reader.js';
import { postgresReusableAnswers } from './record/reusable-answers.js';
import { experimentRuns } from './record/experiment-runs.js';
import { postgresReviews } from './record/reviews.js';
import { postgresSharedSettings } from './record/shared-settings.js';
import { postgresShadowRuns } from './record/shadow-runs.js';
import { postgresSchedules } from './record/schedules.js';
import { postgresSessions } from './record/sessions.js';
import { postgresSignals } from './record/signals.js';
import { postgresSilences } from './record/silences.js';
import { postgresStoredResults } from './record/stored-results.js';
import { postgresStorms } from './record/storms.js';
import { PostgresToolCalls } from './hot/tool-calls.js';
import { postgresHistory } from './record/history.js';
import { postgresQualityFigures } from './record/quality-figures.js';
import { postgresSearchWords } from './record/search-words.js';
import { WriteLane, type LaneParts } from './write-lane.js';

export interface PostgresStoreOptions {
  /** `postgres://...`; a unix socket as `?host=/folder`. The database must already be migrated. */
  databaseUrl: string;
  /** See `DatabaseOptions`. */
  directUrl?: string;
  /**
   * Address of a replica from which lists, search and quality are read, over the same number of connections. Default: the
   * primary.
   */
  readUrl?: string;
  /**
   * Maximum number of connections: at least 3 more than `liveConnections`, because the leader may hold one. The guard
   * and the probes of the server have one more each.
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

/**
 * Longest wait for the connection of the guard, in milliseconds. It is longer than that of other connections, because
 * opening the connection takes seconds on a busy server, and all checks of keys share it.
 */
const GUARD_CONNECT_TIMEOUT_MS = 10_000;

/** The record in Postgres, and the database handle through which other modules keep their own tables. */
export interface PostgresStore extends CaseStore {
  readonly database: Database;
}

/** Creates the record in Postgres. Frequent writes are batched: one statement for all waiting requests. */
export function createPostgresStore(options: PostgresStoreOptions): PostgresStore {
  const { databaseUrl, poolSize, liveConnections = 0, log = silentLogger, telemetry = noTelemetry } = options;
  const { connectTimeoutMs, directUrl, readUrl } = options;
  const pool = (size: number) =>
    new Database({ databaseUrl, directUrl, poolSize: size, connectTimeoutMs, log });
  const database = pool(poolSize - liveConnections);
  const copy =
    readUrl === undefined ? null : new Database({ databaseUrl: readUrl, poolSize, connectTimeoutMs, log });
  const replica = copy === null ? null : new ReplicaReads(copy, database, log);
  const reads = replica ?? database;
  const live = liveConnections === 0 ? null : pool(liveConnections);
  const guard = new Database({
    databaseUrl,
    poolSize: 1,
    connectTimeoutMs: GUARD_CONNECT_TIMEOUT_MS,
    log,
  });
  const wroteEvents = workNotices(database);
  for (const each of live === null ? [database] : [database, live]) each.onEvents = wroteEvents;
  const watch = new AnswerWatch(databaseUrl);
  const lane = new WriteLane({ database, telemetry });
  return {
    database,
    ...flowWrites({ database, telemetry }, lane, watch),
    ...(replica === null ? {} : { replica }),
    ...(live === null ? {} : { ofLive: liveWrites({ database: live, telemetry }, watch) }),
    callMonths: postgresCallMonths(database),
    deliveries: new PostgresDeliveries(database, lane),
    dataSources: postgresDataSources(database),
    destinations: { ...postgresDestinations(database), ...destinationActs(database) },
    deadLetters: postgresDeadLetters(database),
    record: recordReader(database, reads),
    providers: postgresProviders(database),
    budgets: postgresBudgets(database),
    engagements: postgresEngagementSessions(database),
    storedResults: postgresStoredResults(database),
    toolPins: new PrismaToolPins(administrationOf(database), database),
    batches: postgresBatches(database),
    feedback: postgresFeedback(database),
    reviews: postgresReviews(database),
    imports: postgresImports(database),
    prompts: postgresPromptSets(database),
    promptVersions: { ...installedPrompts(database), ...promptVersions(database) },
    schedules: postgresSchedules(database),
    signals: postgresSignals(database),
    silences: postgresSilences(database),
    storms: postgresStorms(database),
    pageLinks: postgresPageLinks(database),
    answers: postgresReusableAnswers(database),
    settings: postgresSharedSettings(database),
    changes: postgresChanges(database),
    flags: { ...postgresArmHealth(database), ...flagActs(database) },
    experiments: {
      ...experimentActs(database),
      ...experimentRuns(database),
      ...postgresShadowRuns(database),
    },
    evolutions: postgresEvolutions(database),
    installations: postgresInstallations(database),
    processes: postgresProcesses(database),
    qualityFigures: postgresQualityFigures(database, reads),
    searchWords: postgresSearchWords(database),
    recalibrations: recalibrations(database),
    history: postgresHistory(database),
    audit: postgresAuditLog(database),
    sessions: postgresSessions(database),
    keys: new PostgresAccessKeys(database, guard, watch),
    erasures: postgresErasures(database, options.erasureKey ?? ''),
    lead: (name) => lead(database, name),
    ...postgresProbes(database),
    close: async () => {
      watch.close();
      await Promise.all([database.close(), live?.close(), copy?.close(), guard.close()]);
    },
  };
}

function flowWrites(parts: LaneParts, lane: WriteLane, watch: AnswerWatch) {
  return {
    runs: new PostgresRuns(parts.database, lane, watch),
    units: new PostgresUnits(parts.database, lane),
    interactions: new PostgresInteractions(parts, lane),
    toolCalls: new PostgresToolCalls(parts.database),
  };
}

function liveWrites(parts: LaneParts, watch: AnswerWatch): FlowWrites {
  return flowWrites(parts, new WriteLane(parts), watch);
}

import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  NO_CHANGES,
  type AlertEdit,
  silentLogger,
  type CaseDocument,
  type CaseQuery,
  type CaseSummary,
  type DeadLetter,
  type EngagementDetails,
  type InstalledToolServer,
  type Nudge,
  type PinnedServer,
  type PipelineView,
  type PolicySection,
  type PolicyVersion,
  type RunbookDocument,
  OpenRunAsk,
} from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { playbooks } from '@casefile/shipped/loaded';
import { AccessGuard, AccessTable, guardRequests } from '@casefile/runtime';
import express from 'express';
import type { ConsolePorts } from '../console-ports.js';
import { consoleEntries } from '../access-entries.js';
import { deadLettersOf } from './dead-letters-fake.js';
import { mountRoutes } from '../http/mount-routes.js';
import { ReadingLog } from '../http/reading-log.js';
import { securityHeaders } from '../http/security-headers.js';
import { EventFeed } from '../live/event-feed.js';
import { serveSockets } from '../live/serve-sockets.js';
import { routes } from '../routes/index.js';
import { TAKES_FORMS } from '../http/read-form.js';
import { EventLog } from './event-log.js';
import { runbookPorts } from './runbook-ports.js';
import {
  noBatches,
  noDataSources,
  noDestinations,
  noSilences,
  noRollout,
  noFeedback,
  twoPatterns,
  noReviews,
  oneFailedProvider,
  noAudit,
  noSessions,
  noKeys,
  noErasures,
  noQualityFigures,
  noRecalibrations,
  noBudgets,
  noSignals,
} from './empty-parts.js';
import { memoryImports, type PostedImport } from './memory-imports.js';

/** The ops API over a record that a test writes, on its own port. */
export interface ConsoleFake {
  url: string;
  log: EventLog;
  feed: EventFeed;
  cases: Map<string, CaseDocument>;
  queries: CaseQuery[];
  engagements: Map<string, EngagementDetails>;
  deadLetters: DeadLetter[];
  redriven: string[][];
  nudged: Nudge[][];
  accepted: { body: unknown; key: string | undefined }[];
  imports: Map<string, PostedImport>;
  reruns: { caseId: string; ask: OpenRunAsk }[];
  settled: { id: string; caseId: string; edit?: AlertEdit }[];
  summaries: CaseSummary[];
  pipeline: PipelineView;
  toolServers: InstalledToolServer[];
  pinned: PinnedServer[];
  /** Requested approvals. */
  approvals: { server: string; tool: string; hash: string; by: string }[];
  /** Every version of every policy; the last version of each policy is the current one. */
  policies: { version: PolicyVersion; sections: PolicySection[] }[];
  runbooks: RunbookDocument[];
  /** Alerts with this text are refused once more. */
  accept: (body: unknown) => void;
  close(): Promise<void>;
}

export async function startConsoleFake(): Promise<ConsoleFake> {
  const log = new EventLog();
  const feed = new EventFeed(
    { reader: log, changes: NO_CHANGES, clock: manualClock(), log: silentLogger },
    { pollMs: 2 },
  );
  const server = createServer();
  const guard = new AccessGuard({
    table: new AccessTable(consoleEntries(routes)),
    authenticators: [],
    isOpen: async () => true,
    log: silentLogger,
  });
  // Without keys, no caller proves an identity, so no reading is logged.
  const readings = new ReadingLog({ record: { noteReading: async () => undefined }, clock: manualClock() });
  const closeSockets = serveSockets(server, feed, { log: silentLogger, hosts: [], guard, readings });
  const fake: ConsoleFake = {
    url: '',
    log,
    feed,
    cases: new Map(),
    queries: [],
    engagements: new Map(),
    deadLetters: [],
    redriven: [],
    nudged: [],
    accepted: [],
    imports: new Map(),
    reruns: [],
    settled: [],
    summaries: [],
    policies: [],
    runbooks: [],
    pipeline: {} as PipelineView,
    toolServers: [],
    pinned: [],
    approvals: [],
    accept: () => undefined,
    close: async () => {
      await feed.close();
      await closeSockets();
      await ended(server);
    },
  };
  const app = express();
  app.use(
    guardRequests([], silentLogger, { forms: TAKES_FORMS }),
    guard.handler(),
    express.json(),
    securityHeaders,
  );
  app.use('/api/v1', mountRoutes(routes, portsOf(fake), { log: silentLogger, readings }));
  server.on('request', app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

function portsOf(fake: ConsoleFake): ConsolePorts {
  return {
    feed: fake.feed,
    signInCreator: async () => undefined,
    toolServers: () => fake.toolServers,
    mcpServers: [],
    providers: () => [],
    destinations: [],
    evaluations: [],
    addedAllowPrivate: false,
    configuration: async () => [{ name: 'lease.seconds', value: 6, source: 'default', file: null }],
    store: {
      destinations: noDestinations,
      dataSources: noDataSources,
      silences: noSilences,
      record: {
        eventsAfter: (after, limit) => fake.log.eventsAfter(after, limit),
        lastEventId: () => fake.log.lastEventId(),
        listCases: async (query) => {
          fake.queries.push(query);
          return { items: fake.summaries, nextCursor: null, searchableTo: null };
        },
        getCase: async (caseId) => fake.cases.get(caseId) ?? null,
        getRun: async (runId) =>
          [...fake.cases.values()].flatMap(({ runs }) => runs).find(({ id }) => id === runId) ?? null,
        alertImage: async (caseId, alertId) => {
          const alert = fake.cases.get(caseId)?.alerts.find((one) => one.id === alertId);
          return alert?.image ?? null;
        },
        isEmpty: async () => fake.cases.size === 0,
        resolvedAt: async () => null,
        noteOperatorAction: async () => undefined,
        noteReading: async () => undefined,
        callTimes: async () => [],
        dueUnits: async () => [],
        roundFigures: async () => [],
        pipelineFigures: async () => {
          throw new Error('the view is given');
        },
      },
      deadLetters: deadLettersOf(fake),
      engagements: {
        find: async () => ({ engagements: [...fake.engagements.values()], nextCursor: null }),
        get: async (id) => fake.engagements.get(id) ?? null,
        close: async (id) => fake.engagements.get(id) ?? null,
      },
      budgets: noBudgets,
      signals: noSignals,
      providers: oneFailedProvider,
      imports: memoryImports(fake.imports),
      batches: noBatches,
      feedback: noFeedback,
      reviews: noReviews,
      toolPins: toolPinsOf(fake),
      prompts: { get: async () => null },
      ...noRollout,
      history: { series: async () => [] },
      qualityFigures: noQualityFigures,
      recalibrations: noRecalibrations,
      audit: noAudit,
      sessions: noSessions,
      keys: noKeys,
      erasures: noErasures,
    },
    queue: { nudge: async (nudges) => void fake.nudged.push(nudges) },
    queues: async () => ({
      depths: [{ queue: 'triage', waiting: 3, active: 1, delayed: 0, failed: 0, oldestMs: 20 }],
      outage: null,
    }),
    intake: {
      receive: async (body, options) => {
        fake.accept(body);
        fake.accepted.push({ body, key: options?.ownKey ?? options?.idempotencyKey });
        return { alertId: 'a', caseId: 'c', runId: 'r', joined: false };
      },
      maskedOriginal: async (payload) => payload,
      storedKey: (key) => key,
    },
    schedules: async () => [],
    now: () => 0,
    answerWithinHours: {},
    sendCorrectionsAfterMs: 10_000,
    newId: () => 'new',
    signingKey: null,
    rerun: {
      createBatch: async () => ({ batchId: null, count: 0, matching: 0, estimateUsd: 0 }),
      open: async (caseId, ask) => {
        fake.reruns.push({ caseId, ask });
        return { runId: 'again', baseRunId: 'r' };
      },
    },
    policies: policyPorts(fake),
    runbooks: runbookPorts(fake),
    ...twoPatterns,
    newRunSettings: () => null,
    prompts: [],
    playbooks,
    pipeline: async () => fake.pipeline,
    conditions: async () => [],
    meta: () => ({
      version: '1.2.3',
      provider: 'simulator',
      model: 'm',
      isSimulator: true,
      startedAt: '2026-01-05T10:00:00.000Z',
      capabilities: ['search'],
    }),
  };
}

function policyPorts(fake: ConsoleFake): ConsolePorts['policies'] {
  const find = (policyId: string, version?: number) =>
    fake.policies.findLast(
      ({ version: it }) => it.policyId === policyId && (version ?? it.version) === it.version,
    );
  return {
    listPolicies: async () => fake.policies.map(({ version }) => version),
    policyVersion: async (policyId, version) => find(policyId, version)?.version ?? null,
    policyTree: async ({ policyId, version }) =>
      (find(policyId, version)?.sections ?? []).map(({ text: _text, ...node }) => node),
    policySections: async ({ policyId, version }, ids) =>
      (find(policyId, version)?.sections ?? []).filter(({ nodeId }) => ids.includes(nodeId)),
  };
}

function toolPinsOf(fake: ConsoleFake): ConsolePorts['store']['toolPins'] {
  return {
    servers: async () => fake.pinned,
    use: async (names) =>
      names.map((tool) => ({
        tool,
        calls: 4,
        failed: 1,
        lastAt: '2026-01-05T10:00:00.000Z',
        lastFailure: null,
      })),
    approve: async (server, tool, hash, by) => {
      fake.approvals.push({ server, tool, hash, by });
      const pinnedTool = fake.pinned
        .find((one) => one.server === server)
        ?.tools.find((one) => one.tool === tool);
      return pinnedTool?.seen.hash === hash ? pinnedTool : null;
    },
  };
}

async function ended(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  await closed;
}

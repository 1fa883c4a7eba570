import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  moves,
  noTelemetry,
  nothingBefore,
  silentLogger,
  type Alert,
  type ArtifactSet,
  type CaseStore,
  type ClaimedWork,
  type CommitRequest,
  type Draw,
  type JsonObject,
} from '@casefile/contracts';
import { flow, playbookNamed, type FlowPorts } from '@casefile/pipeline';
import { kinds, playbooks } from '@casefile/shipped/loaded';
import { describeInstallation, freezeSettings, readConfig } from '@casefile/runtime';
import { instantModel } from '@casefile/e2e/testing/instant-model';
import { bareChain } from './bare-chain.js';
import { noOpFlow } from './no-op-flow.js';
import { median, type Row } from './report.js';
import { closedLoop, type Stores } from './rows.js';
import { alertOf, startSpine, type Spine, type SpineParts } from './spine.js';

interface Rung {
  name: string;
  handOn: 'direct' | 'queue';
  parts: SpineParts;
}

const untold: SpineParts = { telemetry: noTelemetry };
/** Configurations, each with one more part than the one before it, for both ways to pass stages on. */
const rungs = (): Rung[] => [
  {
    name: '+ executor and intake',
    handOn: 'direct',
    parts: { ...untold, transport: 'none', writes: writesInMemory() },
  },
  { name: '+ store', handOn: 'direct', parts: { ...untold, transport: 'none' } },
  { name: '+ queue', handOn: 'direct', parts: { ...untold, transport: 'queue' } },
  { name: '+ Nest transport and sweeper', handOn: 'direct', parts: untold },
  { name: '+ telemetry: all of it', handOn: 'direct', parts: {} },
  { name: 'all of it, stages that do nothing', handOn: 'direct', parts: { flow: noOpFlow } },
  { name: '+ queue', handOn: 'queue', parts: { ...untold, transport: 'queue' } },
  { name: '+ Nest transport and sweeper', handOn: 'queue', parts: untold },
  { name: '+ telemetry: all of it', handOn: 'queue', parts: {} },
  { name: 'all of it, stages that do nothing', handOn: 'queue', parts: { flow: noOpFlow } },
];

/**
 * Measures the cost of a case in this process, part by part: processor milliseconds per case, without the
 * servers. Unlike cases per second, these figures do not change on a busy machine. The ratio is relative to
 * the bare chain.
 */
export async function ladder(stores: Stores, dir: string, cases: number): Promise<Row[]> {
  const bare = await costOf(() => bareChain(stores.chainOnRedis, cases, 100), cases);
  const row = (name: string, { ms, perSecond }: Cost): Row => ({
    name,
    figure: `${ms.toFixed(2)} ms of processor, ${perSecond.toFixed(0)} cases/s`,
    ratio: ms / bare.ms,
    wanted: '',
  });
  const alone = stagesAlone();
  await closedLoop(alone, cases);
  const rows = [
    row('ladder: bare chain', bare),
    row('ladder: stages alone', await costOf(() => closedLoop(alone, cases, cases), cases)),
  ];
  for (const { name, handOn, parts } of rungs()) {
    const file = join(dir, 'settings.yaml');
    writeFileSync(file, `handOn: ${handOn}\n`);
    const settings = { CASEFILE_CONFIG: file };
    const spine = await startSpine(
      await stores.newDatabase(),
      stores.redisUrl,
      instantModel(),
      settings,
      parts,
    );
    try {
      await closedLoop(spine, cases);
      rows.push(row(`ladder, ${handOn}: ${name}`, await costOf((i) => closedLoop(spine, cases, i), cases)));
    } finally {
      await spine.stop();
    }
  }
  return rows;
}

interface Cost {
  /** Processor time of this process per case. */
  ms: number;
  perSecond: number;
}

/**
 * Measures the cost of a loop.
 * @param loop Runs `cases` cases, numbered from `offset`, and returns cases per second.
 */
async function costOf(loop: (offset: number) => Promise<number>, cases: number): Promise<Cost> {
  const rounds: Cost[] = [];
  for (let round = 1; round <= 3; round += 1) {
    const before = process.cpuUsage();
    const perSecond = await loop(round * 1_000_000);
    const { user, system } = process.cpuUsage(before);
    rounds.push({ ms: (user + system) / 1000 / cases, perSecond });
  }
  return { ms: median(rounds.map(({ ms }) => ms)), perSecond: median(rounds.map((one) => one.perSecond)) };
}

/** Runs the six stages in order without a record. */
function stagesAlone(): Pick<Spine, 'judge'> {
  const config = readConfig({ LLM_PROVIDER: 'simulator', LOG_LEVEL: 'error' }, kinds);
  const playbook = playbookNamed('scam-verdict', playbooks);
  const settings = freezeSettings(playbook, describeInstallation(config));
  const model = instantModel();
  const { signal } = new AbortController();
  const never = () => Promise.reject(new Error('no tool is asked'));
  const ports = (): FlowPorts => ({
    playbook,
    run: {
      runId: randomUUID(),
      caseId: randomUUID(),
      lane: 'live',
      unit: '',
      round: 1,
      settings,
    },
    resolvedAt: async () => null,
    model: {
      available: true,
      recorded: () => false,
      draw: (deadlineMs): Draw => ({
        seed: randomUUID(),
        deadlineAt: deadlineMs === null ? null : Date.now() + deadlineMs,
      }),
      call: (_step, request) => model.complete(request, { signal, callKey: '' }),
    },
    signals: { chosen: () => null },
    answers: { take: async () => ({ kind: 'make' }), artifact: never },
    tools: {
      locality: () => null,
      entityTypes: () => [],
      describe: () => null,
      offers: () => ({ tools: [], out: [] }),
      recorded: () => [],
      inline: never,
    },
    reader: { read: never, close: async () => undefined },
    withoutSecrets: async (text) => text,
    prompts: config.prompts,
    clock: { now: () => Date.now() },
    log: silentLogger,
    signal,
  });
  return {
    judge: async (i) => {
      const alert = alertHere(alertOf(i) as Alert);
      const artifacts: ArtifactSet = {};
      const stagePorts = ports();
      for (const stage of flow) {
        const units = [{ unit: '', artifacts }];
        const outcome = await stage.run({ alert, artifacts, previous: {}, units }, stagePorts);
        if (outcome.kind !== 'done') throw new Error(`stage ${stage.name} ended with ${outcome.kind}`);
        artifacts[stage.appends] = outcome.artifact as JsonObject;
      }
    },
  };
}

function alertHere(alert: Alert): Alert {
  return { ...alert, id: randomUUID(), receivedAt: new Date().toISOString() };
}

/** Keeps the writes of one unit in memory, to run the executor without a database. */
function writesInMemory(): Partial<CaseStore> {
  const runs = new Map<string, ClaimedWork>();
  const append = (runId: string, { move: { artifact } }: Pick<CommitRequest, 'move'>) => {
    const work = runs.get(runId);
    if (work !== undefined && artifact !== undefined)
      work.artifacts = { ...work.artifacts, [artifact.name]: artifact.body };
  };
  const absent = () => Promise.reject(new Error('the flow of one unit does not ask this'));
  return {
    ofLive: undefined as never,
    runs: {
      backlog: async () => 0,
      open: absent,
      accept: async ({ alert, alertId, caseId, runId, settings, lane, firstStage: stage }) => {
        const key = { runId, unit: '', round: 1, stage };
        runs.set(runId, {
          lease: { ...key, epoch: 0 },
          caseId,
          lane,
          settings,
          trace: null,
          alert: alertHere(alert as Alert),
          artifacts: {},
          ...nothingBefore(),
        });
        const nudges = [{ kind: 'stage' as const, ...key, lane, nudge: 1 }];
        return { kind: 'accepted', alertId, caseId, runId, joined: false, nudges };
      },
    },
    interactions: { intend: async () => true, intendForTool: absent },
    deliveries: {
      markDelivered: async () => undefined,
      pending: absent,
      of: absent,
      isWithheld: async () => false,
    },
    units: {
      renew: absent,
      release: absent,
      sweep: absent,
      activity: absent,
      allDue: absent,
      renudge: absent,
      postpone: absent,
      claim: async ({ runId, unit, stage, round }) => {
        const work = runs.get(runId);
        if (work === undefined) return { kind: 'refused', reason: 'unknown', nudges: [] };
        const units = [{ unit, artifacts: work.artifacts }];
        return { kind: 'claimed', work: { ...work, units, lease: { runId, unit, stage, round, epoch: 1 } } };
      },
      commit: async (request) => {
        const { lease, move, earlier = [], claimForMs } = request;
        for (const stage of [...earlier, request]) append(lease.runId, stage);
        const next = moves.moveNext(move);
        if (next === null) {
          runs.delete(lease.runId);
          return { kind: 'committed', nudges: [] };
        }
        const { stage } = next;
        const nudge = { kind: 'stage' as const, ...lease, ...next, lane: 'live' as const, nudge: 1 };
        return claimForMs === undefined
          ? { kind: 'committed', nudges: [nudge] }
          : { kind: 'committed', nudges: [], lease: { ...lease, stage } };
      },
    },
  };
}

import {
  done,
  noTelemetry,
  silentLogger,
  type ClaimRequest,
  type CommitRequest,
  type Nudge,
  type StageNudge,
} from '@casefile/contracts';
import {
  anAcceptRequest,
  aRunSettings,
  countingIds,
  manualClock,
  withMembers,
} from '@casefile/contracts/testing';
import { playbookNamed, type Stage, type StagePorts } from '@casefile/pipeline';
import { playbooks } from '@casefile/shipped/loaded';
import { aVerdict, type testRecord } from '@casefile/store/testing';
import { anAnswer, freeCalls, alwaysModel } from '../../calls/testing/journal-bench.js';
import type { ExecutorPorts } from '../executor-ports.js';
import { StageExecutor } from '../stage-executor.js';
import { noStoredPrompts, someLimits } from './fake-ports.js';

const APPENDED = {
  report: { title: 't', markdown: 'm\u0000', citations: [] },
  review: { ruling: 'PASS', findings: [], reviewer: 'test' },
  verdict: aVerdict(),
};
export type ArtifactName = keyof typeof APPENDED;
export type StageAction = (
  input: Parameters<Stage['run']>[0],
  ports: StagePorts,
  executor: StageExecutor,
) => Promise<unknown>;

export interface ThreeStagesOptions {
  /** Actions of stages in addition to appending. */
  runs?: Partial<Record<'first' | 'second' | 'last', StageAction>>;
  direct?: boolean;
  hosts?: string[];
  version?: string;
  /** Renews no lease, like a process that died. */
  isDead?: boolean;
  /** Name of an artifact that the database refuses. */
  refused?: ArtifactName;
}

/** Returns three stages over a record. The first two belong to one service. Each takes 10 ms. */
export async function threeStages(
  { store, passTime }: ReturnType<ReturnType<typeof testRecord>>,
  {
    runs = {},
    direct = false,
    hosts = ['first', 'second'],
    version,
    isDead = false,
    refused,
  }: ThreeStagesOptions = {},
) {
  const ids = countingIds();
  const clock = manualClock();
  const commits: CommitRequest[] = [];
  const sent: Nudge[] = [];
  const executed: string[] = [];
  const claims: string[] = [];
  const delivered: string[] = [];
  const watched = {
    ...store,
    units: withMembers(store.units, {
      ...(isDead ? { renew: async () => [] } : {}),
      claim: (request: ClaimRequest) => (claims.push(request.stage), store.units.claim(request)),
      commit: (request: CommitRequest) => {
        commits.push(request);
        const ended = [request, ...(request.earlier ?? [])];
        const isRefused = ended.some(
          ({ move: { artifact } }) => artifact !== undefined && artifact.name === refused,
        );
        return store.units.commit(
          isRefused ? { ...request, events: [{ type: null as never, data: {} }] } : request,
        );
      },
    }),
  };
  const stage = (
    name: 'first' | 'second' | 'last',
    app: string,
    appends: ArtifactName,
    reads: ArtifactName[],
  ): Stage => ({
    name,
    app,
    appends,
    reads,
    readsAlert: false,
    readsPrevious: [],
    joins: name === 'last',
    run: async (input, ports) => {
      executed.push(name);
      clock.advance(10);
      await runs[name]?.(input, ports, executor);
      return done(APPENDED[appends]);
    },
  });
  const flow = [
    stage('first', 'one', 'report', []),
    stage('second', 'one', 'review', ['report']),
    stage('last', 'two', 'verdict', ['report', 'review']),
  ];
  const model = { provider: 'fake', model: 'm', complete: async () => anAnswer() };
  const executor: StageExecutor = new StageExecutor(
    flow,
    {
      store: watched,
      nudger: { nudge: async (nudges: Nudge[]) => void sent.push(...nudges) },
      playbooks,
      storedPrompts: noStoredPrompts,
      modelFeatures: {},
      tools: { named: () => null },
      models: alwaysModel(model),
      calls: freeCalls(),
      clock,
      ids,
      log: silentLogger,
      telemetry: noTelemetry,
      outbox: { deliver: async () => void delivered.push(request.runId) },
      iterations: null,
    } as unknown as ExecutorPorts,
    { ...someLimits, handOnDirectly: direct },
  );
  for (const name of hosts) executor.host(name, { live: 5, bulk: 5 });
  const { playbook } = aRunSettings();
  const settings = aRunSettings({ playbookVersion: version ?? playbookNamed(playbook, playbooks).version });
  const request = anAcceptRequest(ids, { firstStage: 'first', settings });
  const accept = async (over: Partial<typeof request> = {}) => {
    const accepted = await store.runs.accept({ ...request, ...over });
    if (accepted.kind !== 'accepted') throw new Error(accepted.kind);
    return (accepted.nudges[0] as StageNudge).runId;
  };
  const begin = async (over: Partial<typeof request> = {}) => handle('first', await accept(over));
  const record = async () => {
    const [run] = (await store.record.getCase(request.caseId))!.runs;
    return run!;
  };
  const handle = (name: string, runId = request.runId) =>
    executor.handle(name, { runId, unit: '', round: 1 });
  return {
    accept,
    begin,
    handle,
    record,
    commits,
    claims,
    sent,
    executed,
    delivered,
    clock,
    passTime,
    store,
  };
}

/** Returns the names of a run's artifacts. */
export const namesOf = (artifacts: { artifact: string }[]) => artifacts.map(({ artifact }) => artifact);

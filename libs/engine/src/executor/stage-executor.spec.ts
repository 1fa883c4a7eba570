import {
  CasefileError,
  done,
  noTelemetry,
  silentLogger,
  type CaseStore,
  type ClaimedWork,
  type CommitRequest,
  type IntentRequest,
  type Lane,
  type Outcome,
} from '@casefile/contracts';
import { aRunSettings, countingIds, manualClock, until } from '@casefile/contracts/testing';
import { flow, type Stage, type StagePorts } from '@casefile/pipeline';
import { playbooks } from '@casefile/shipped/loaded';
import { anAnswer, aQuestion, freeCalls, alwaysModel } from '../calls/testing/journal-bench.js';
import type { ExecutorPorts } from './executor-ports.js';
import { StageExecutor } from './stage-executor.js';
import { noStoredPrompts, someLimits } from './testing/fake-ports.js';

const RUN_ID = countingIds().id();
const review = { ruling: 'PASS', findings: [], reviewer: 'test' };

function setUp(
  run: (executor: () => StageExecutor, ports: StagePorts) => Promise<Outcome<unknown>>,
  commitKind: 'committed' | 'stale' = 'committed',
) {
  const commits: CommitRequest[] = [];
  const released: string[] = [];
  const intents: IntentRequest[] = [];
  let outages = 0;
  const lease = { runId: RUN_ID, unit: '', stage: 'critique', round: 1, epoch: 1 };
  const work = {
    lease,
    caseId: 'c',
    lane: 'live',
    settings: aRunSettings(),
    alert: null,
    artifacts: {},
    previous: {},
    units: [],
    interactions: [],
    toolCalls: [],
    crashes: 0,
    failures: 0,
    waitOver: false,
    pausedMs: 0,
    trace: null,
  };
  const store = {
    units: {
      claim: async () => ({ kind: 'claimed', work }),
      commit: async (request: CommitRequest) => (commits.push(request), { kind: commitKind, nudges: [] }),
      release: async () => (released.push(RUN_ID), []),
    },
    interactions: {
      intend: async (request: IntentRequest) => {
        intents.push(request);
        if (intents.length <= outages) throw new CasefileError('store_unreachable', 'away');
        return true;
      },
    },
  } as unknown as CaseStore;
  const critique = flow.find((stage) => stage.name === 'critique') as Stage;
  const executor: StageExecutor = new StageExecutor(
    flow.map((stage) =>
      stage === critique ? { ...critique, run: (_work, at) => run(() => executor, at) } : stage,
    ),
    {
      store,
      nudger: { nudge: async () => undefined },
      playbooks,
      storedPrompts: noStoredPrompts,
      modelFeatures: {},
      tools: { named: () => null },
      runner,
      models: alwaysModel(model),
      calls: freeCalls(),
      clock: manualClock(),
      ids: countingIds(1),
      log: silentLogger,
      telemetry: noTelemetry,
      outbox: { deliver: async () => undefined },
      iterations: null,
    } as unknown as ExecutorPorts,
    someLimits,
  );
  const handle = () => executor.handle('critique', { runId: RUN_ID, unit: '', round: 1 });
  const setOutages = (n: number) => void (outages = n);
  const claims: (number | undefined)[] = [];
  const accepting = (lane: Lane = 'live') =>
    executor.acceptAndRun('critique', lane, async (claimForMs) => {
      claims.push(claimForMs);
      const claimed = claimForMs === undefined ? {} : { work: work as unknown as ClaimedWork };
      return {
        kind: 'accepted',
        alertId: 'a',
        caseId: 'c',
        runId: RUN_ID,
        joined: false,
        nudges: [],
        ...claimed,
      };
    });
  return { handle, setOutages, executor, accepting, claims, commits, released, intents };
}

const model = { provider: 'fake', model: 'm', complete: async () => anAnswer() };
const runner = {
  run: async () => ({
    state: 'succeeded',
    result: 'found',
    source: 'table',
    reasonCode: null,
    message: null,
    durationMs: 1,
    attempts: 1,
  }),
};

describe('StageExecutor', () => {
  it('R3 S4-06 records what was found inside with the intent of the next paid call, the rest at its end', async () => {
    const { handle, commits, intents } = setUp(async (_executor, { tools, model: asked }) => {
      await tools.inline(1, [{ tool: 'facts_get', args: { name: 'x' } }]);
      await asked.call(2, aQuestion, null);
      await tools.inline(3, [{ tool: 'facts_get', args: { name: 'y' } }]);
      return done(review);
    });
    await handle();
    expect(intents).toMatchObject([
      { lease: { epoch: 1 }, inlineToolCalls: [{ step: 1, seq: 0, result: 'found' }] },
    ]);
    expect(commits[0]?.inlineToolCalls).toMatchObject([{ step: 3, seq: 0, args: { name: 'y' } }]);
    expect(commits[0]?.results).toMatchObject([{ state: 'completed' }]);
  });

  it('R3 takes along what was found inside also when the record was away at the first try', async () => {
    const { handle, intents, setOutages } = setUp(async (_executor, { tools, model: asked }) => {
      await tools.inline(1, [{ tool: 'facts_get', args: { name: 'x' } }]);
      await asked.call(2, aQuestion, null);
      return done(review);
    });
    setOutages(1);
    await handle();
    expect(intents.map(({ inlineToolCalls }) => inlineToolCalls?.length)).toEqual([1, 1]);
  });

  it('appends and hands on to the next stage of the list', async () => {
    const { handle, commits } = setUp(async () => done(review));
    await handle();
    expect(commits[0]?.move).toMatchObject({
      artifact: { name: 'review' },
      unit: { toStatus: 'due', toStage: 'write', toRound: 1 },
    });
  });

  it('R17 records what is done, also when it was told to stop meanwhile', async () => {
    const { handle, commits, released } = setUp(async (executor) => {
      executor().stop();
      return done(review);
    });
    await handle();
    expect([commits.length, released.length]).toEqual([1, 0]);
  });

  it('R17 gives the lease back when it was stopped before the end', async () => {
    const { handle, commits, released } = setUp(async (executor) => {
      executor().stop();
      throw new Error('the call was cut off');
    });
    await handle();
    expect([commits.length, released.length]).toEqual([0, 1]);
  });

  it('works what an accept has claimed, once the sender has its answer', async () => {
    const { executor, accepting, commits, claims } = setUp(async () => done(review));
    await accepting();
    executor.host('critique', { live: 1, bulk: 1 });
    await accepting('batch');
    expect(claims).toEqual([undefined, undefined]);
    const accepted = accepting();
    expect(executor.active).toBe(1);
    expect(await accepted).toMatchObject({ kind: 'accepted' });
    expect([claims.at(-1), commits]).toEqual([6_000, []]);
    await until('no work is under way', () => executor.active === 0);
    expect(commits).toHaveLength(1);
  });

  it('expects no work any more of an accept that failed', async () => {
    const { executor } = setUp(async () => done(review));
    executor.host('critique', { live: 1, bulk: 1 });
    const refused = executor.acceptAndRun('critique', 'live', () => Promise.reject(new Error('refused')));
    await expect(refused).rejects.toThrow('refused');
    await until('no work is under way', () => executor.active === 0);
  });

  it('R17 gives back what was claimed for it while it was told to stop', async () => {
    const { executor, accepting, claims, commits, released } = setUp(async () => done(review));
    executor.host('critique', { live: 1, bulk: 1 });
    const accepted = accepting();
    executor.stop();
    await accepting();
    expect(claims).toEqual([6_000, undefined]);
    await accepted;
    await until('the lease is released', () => released.length > 0);
    expect([executor.active, commits.length, released.length]).toEqual([0, 0, 1]);
  });

  it('counts a wrong artifact as a failure that no retry mends', async () => {
    const { handle, commits } = setUp(async () => done({ ruling: 'MAYBE' }));
    await handle();
    const why = { toStatus: 'quarantined', failed: true, reasonCode: 'bad_artifact' };
    expect(commits[0]?.move.unit).toMatchObject(why);
  });

  it('R5 leaves it at that when the commit is refused', async () => {
    const { handle, released } = setUp(async () => done(review), 'stale');
    await expect(handle()).resolves.toBeUndefined();
    expect(released).toEqual([]);
  });

  it('refuses a payload that is no job, naming the field', async () => {
    const { commits } = setUp(async () => done(review));
    const ports = { log: silentLogger } as unknown as ExecutorPorts;
    const executor = new StageExecutor(flow, ports, someLimits);
    await expect(executor.handle('critique', { runId: 'x' })).rejects.toMatchObject({
      reasonCode: 'invalid_input',
    });
    expect(commits).toEqual([]);
  });
});

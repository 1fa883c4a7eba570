import {
  done,
  noTelemetry,
  silentLogger,
  type CaseStore,
  type CommitRequest,
  type Outcome,
} from '@casefile/contracts';
import { aRunSettings, countingIds, manualClock } from '@casefile/contracts/testing';
import { flow, playbookNamed, type Stage } from '@casefile/pipeline';
import { StageExecutor, type ExecutorPorts } from './stage-executor.js';

const RUN_ID = countingIds().id();
const review = { ruling: 'PASS', findings: [], reviewer: 'test' };

function setUp(
  run: (executor: () => StageExecutor) => Promise<Outcome<unknown>>,
  commitKind: 'committed' | 'stale' = 'committed',
) {
  const commits: CommitRequest[] = [];
  const released: string[] = [];
  const lease = { runId: RUN_ID, unit: '', stage: 'critique', round: 1, epoch: 1 };
  const work = {
    ...{
      lease,
      caseId: 'c',
      lane: 'live',
      settings: aRunSettings(),
      alert: null,
      artifacts: {},
      previous: {},
      units: [],
    },
    ...{ interactions: [], toolCalls: [], crashes: 0, failures: 0, waitOver: false, trace: null },
  };
  const store = {
    claim: async () => ({ kind: 'claimed', work }),
    commit: async (request: CommitRequest) => (commits.push(request), { kind: commitKind, nudges: [] }),
    release: async () => (released.push(RUN_ID), []),
  } as unknown as CaseStore;
  const critique = flow.find((stage) => stage.name === 'critique') as Stage;
  const executor: StageExecutor = new StageExecutor(
    flow.map((stage) => (stage === critique ? { ...critique, run: () => run(() => executor) } : stage)),
    {
      ...{ store, queue: { nudge: async () => undefined }, routeOf: () => null, playbookNamed, tools: [] },
      ...{
        clock: manualClock(),
        ids: countingIds(1),
        log: silentLogger,
        telemetry: noTelemetry,
        deliver: async () => undefined,
      },
    } as unknown as ExecutorPorts,
    { leaseMs: 6_000, maxCrashes: 3, crashWindowMs: 1 },
  );
  const handle = () => executor.handle('critique', { runId: RUN_ID, unit: '', round: 1 });
  return { handle, commits, released };
}

describe('StageExecutor', () => {
  it('appends and hands on to the next stage of the list', async () => {
    const { handle, commits } = setUp(async () => done(review));
    await handle();
    expect(commits[0]?.change).toMatchObject({
      kind: 'advance',
      artifact: { name: 'review' },
      next: { stage: 'write', round: 1 },
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

  it('counts a wrong artifact as a failure that no retry mends', async () => {
    const { handle, commits } = setUp(async () => done({ ruling: 'MAYBE' }));
    await handle();
    expect(commits[0]?.change).toMatchObject({ kind: 'fail', reasonCode: 'bad_artifact', retryInMs: null });
  });

  it('R5 leaves it at that when the commit is refused', async () => {
    const { handle, released } = setUp(async () => done(review), 'stale');
    await expect(handle()).resolves.toBeUndefined();
    expect(released).toEqual([]);
  });

  it('refuses a payload that is no job, naming the field', async () => {
    const { commits } = setUp(async () => done(review));
    const executor = new StageExecutor(flow, { queue: {}, log: silentLogger } as unknown as ExecutorPorts, {
      ...{ leaseMs: 6_000, maxCrashes: 3, crashWindowMs: 1 },
    });
    await expect(executor.handle('critique', { runId: 'x' })).rejects.toMatchObject({
      reasonCode: 'invalid_input',
    });
    expect(commits).toEqual([]);
  });
});

import { alwaysModel } from '../calls/testing/journal-bench.js';
import {
  CasefileError,
  later,
  noTelemetry,
  silentLogger,
  type CommitRequest,
  type Outcome,
} from '@casefile/contracts';
import { aRunSettings, countingIds, manualClock } from '@casefile/contracts/testing';
import { flow } from '@casefile/pipeline';
import { playbooks } from '@casefile/shipped/loaded';
import type { ExecutorPorts } from './executor-ports.js';
import { StageExecutor } from './stage-executor.js';
import { noStoredPrompts, someLimits } from './testing/fake-ports.js';

const runId = countingIds().id();

async function commitOf(
  run: () => Promise<Outcome<unknown>>,
): Promise<CommitRequest['move']['unit'] | undefined> {
  const commits: CommitRequest[] = [];
  const lease = { runId, unit: '', stage: 'reason', round: 1, epoch: 1 };
  const read = { alert: null, artifacts: {}, previous: {}, units: [], interactions: [], toolCalls: [] };
  const counts = { crashes: 0, failures: 0, waitOver: false, pausedMs: 0 };
  const work = { lease, caseId: 'c', lane: 'live', settings: aRunSettings(), ...read, ...counts };
  const units = {
    claim: async () => ({ kind: 'claimed', work }),
    commit: async (request: CommitRequest) => (commits.push(request), { kind: 'committed', nudges: [] }),
  };
  const ports = {
    store: { units },
    nudger: { nudge: async () => undefined },
    models: alwaysModel(null),
    playbooks,
    storedPrompts: noStoredPrompts,
    modelFeatures: {},
    tools: { named: () => null },
    clock: manualClock(),
    ids: countingIds(1),
    log: silentLogger,
    telemetry: noTelemetry,
    outbox: { deliver: async () => undefined },
    iterations: null,
  } as unknown as ExecutorPorts;
  const stages = flow.map((stage) => (stage.name === 'reason' ? { ...stage, run } : stage));
  await new StageExecutor(stages, ports, someLimits).handle('reason', { runId, unit: '', round: 1 });
  return commits[0]?.move.unit;
}

describe('a stage without budget', () => {
  it('is parked for a person when its run waits out outages: no wait makes room', async () => {
    expect(await commitOf(async () => later(30_000, 'budget_exhausted'))).toMatchObject({
      toStatus: 'parked',
      reasonCode: 'budget_exhausted',
    });
    expect(await commitOf(async () => later(30_000, 'rate_limited'))).toMatchObject({
      toStatus: 'due',
      held: true,
    });
  });

  it('is parked, not quarantined, when its strategy leaves it at that', async () => {
    const thrown = () => Promise.reject(new CasefileError('budget_exhausted', 'day:usd is full'));
    expect(await commitOf(thrown)).toMatchObject({ toStatus: 'parked', message: 'day:usd is full' });
  });
});

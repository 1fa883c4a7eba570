import type { AcceptRequest } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { aResult } from '../testing/store-bench.js';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const HOUR_MS = 3_600_000;

/** Records calls of a run with these costs. null: the price of the model is not known. */
async function pay(runId: string, costs: (number | null)[]): Promise<void> {
  const { bench, store } = at();
  const { lease } = await bench.claim(runId);
  for (const [i, costUsd] of costs.entries()) {
    const intent = bench.intent(lease, { step: i + 1 });
    await store.interactions.intend(intent);
    await bench.store.interactions.intend({
      ...bench.intent(lease, { step: 100 + i }),
      results: [aResult(intent.interaction.id, { costUsd })],
    });
  }
}

const sent = async (over: Partial<AcceptRequest>, costs: (number | null)[]) => {
  const accepted = await at().bench.accept({ fingerprint: null, ...over });
  if (accepted.nudges.length > 0) await pay(accepted.runId, costs);
  return accepted;
};
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();

describe('S2-21 the cost of the alerts of a key', () => {
  it('is that of the runs that they opened since a time', async () => {
    const { store } = at();
    expect(await store.keys.spentSince('gateway', hoursAgo(1))).toBe(0);
    await sent({ sender: 'gateway' }, [0.5]);
    await at().passTime(2 * HOUR_MS);
    await sent({ sender: 'gateway' }, [0.25, null, 0.125]);
    await sent({ sender: 'gateway' }, []);
    await sent({ sender: 'other' }, [8]);
    await sent({}, [16]);
    expect(await store.keys.spentSince('gateway', hoursAgo(1))).toBe(0.375);
    expect(await store.keys.spentSince('gateway', hoursAgo(3))).toBe(0.875);
  });

  it('leaves out runs that others opened, which its alerts joined, and runs that judge a case again', async () => {
    const { bench, store } = at();
    const { caseId } = await sent({ sender: 'other', fingerprint: 'f' }, [8]);
    const joined = await sent({ sender: 'gateway', fingerprint: 'f' }, []);
    expect(joined).toMatchObject({ caseId, joined: true });
    const own = await sent({ sender: 'gateway' }, [0.5]);
    const runId = bench.ids.id();
    const replay = { lane: 'replay' as const, settings: aRunSettings(), firstStage: 'triage' };
    await store.runs.open({ caseId: own.caseId, runId, ...replay });
    await pay(runId, [4]);
    expect(await store.keys.spentSince('gateway', hoursAgo(1))).toBe(0.5);
    expect(await store.keys.spentSince('other', hoursAgo(1))).toBe(8);
  });
});

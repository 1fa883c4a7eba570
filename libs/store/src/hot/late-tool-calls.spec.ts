import { testRecord } from '../testing/test-record.js';
import { aSettlement } from '../testing/store-bench.js';

const LEASE_MS = 6_000;

const at = testRecord();

describe('tool calls that no unit waits for any more', () => {
  it.each(['a claim', 'the sweeper'])(
    'S4-32 that are open when the wait is over are settled for good as tool_timeout, found by %s',
    async (finder) => {
      const { bench, passTime, store } = at();
      const { runId, caseId } = await bench.accept();
      const { lease } = await bench.claim(runId);
      const ids = await bench.suspend(lease, ['pi_search', 'rdap', 'scam_db'], { timeoutMs: 1_000 });
      const held = (await bench.claimCall(ids[0]!)).lease;
      await bench.settle(ids[2]!);
      await passTime(1_001);
      if (finder === 'the sweeper') await store.units.sweep(10);
      const work = await bench.claim(runId);
      expect(work.waitOver).toBe(true);
      const late = { state: 'failed', result: null, reasonCode: 'tool_timeout', attempts: 0 };
      const message = 'no answer before the wait for it was over';
      expect(work.toolCalls).toMatchObject([
        { ...late, message, settledAt: expect.any(String) },
        { ...late, message },
        { state: 'succeeded' },
      ]);
      expect(await store.toolCalls.renew([held], LEASE_MS)).toEqual([held]);
      expect(await store.toolCalls.settle(held, aSettlement())).toEqual({ kind: 'stale', nudges: [] });
      expect(await store.toolCalls.claim(ids[1]!, LEASE_MS)).toEqual({
        kind: 'refused',
        reason: 'settled',
        nudges: [],
      });
      expect(await store.units.sweep(10)).toEqual([]);
      const events = (await bench.events()).filter((event) => event.data['reasonCode'] === 'tool_timeout');
      expect(events.map(({ type, data }) => [type, data['toolCallId'], data['state']])).toEqual([
        ['tool-call.completed', ids[0], 'failed'],
        ['tool-call.completed', ids[1], 'failed'],
      ]);
      // After a crash the stage finds the same.
      await passTime(LEASE_MS + 1);
      const again = await bench.claim(runId);
      expect(again.waitOver).toBe(true);
      const kept = work.toolCalls.map(({ id, state, reasonCode }) => ({ id, state, reasonCode }));
      expect(again.toolCalls).toMatchObject(kept);
      expect((await store.record.getCase(caseId))!.runs[0]?.toolCalls).toMatchObject(kept);
    },
  );

  it('of an earlier step are left as they are when the wait for another one is over', async () => {
    const { bench, passTime } = at();
    const { runId } = await bench.accept();
    const first = (await bench.claim(runId)).lease;
    const [id] = await bench.suspend(first, ['rdap'], { timeoutMs: 1_000 });
    await bench.settle(id!);
    const { lease } = await bench.claim(runId);
    await bench.suspend(lease, ['scam_db'], { step: 2, timeoutMs: 1_000 });
    await passTime(1_001);
    expect((await bench.claim(runId)).toolCalls.map(({ step, state }) => [step, state])).toEqual([
      [1, 'succeeded'],
      [2, 'failed'],
    ]);
  });
});

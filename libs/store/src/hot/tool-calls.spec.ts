import { moves, type Lease } from '@casefile/contracts';
import { aClaimRequest } from '@casefile/contracts/testing';
import { testRecord } from '../testing/test-record.js';
import { advanceTo, aSettlement } from '../testing/store-bench.js';

const LEASE_MS = 6_000;

const at = testRecord();

describe('tool calls', () => {
  it('are recorded with the wait, each with a wake-up of its own, and free the unit', async () => {
    const { bench, store } = at();
    const { runId, caseId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const calls = ['scam_db', 'rdap'].map((tool) => ({ id: bench.ids.id(), tool, args: { value: tool } }));
    const { nudges } = await bench.commit(lease, (at: Lease) =>
      moves.suspendUnit(at, {
        step: 1,
        calls,

        timeoutMs: 9_000,
      }),
    );
    expect(nudges).toEqual(
      calls.map(({ id, tool }) => ({ kind: 'tool', toolCallId: id, tool, lane: 'live', nudge: 1 })),
    );
    expect((await store.record.getCase(caseId))!.runs[0]).toMatchObject({
      status: 'suspended',
      stage: 'triage',
    });
    expect(await store.units.claim(aClaimRequest(runId))).toEqual({
      kind: 'refused',
      reason: 'suspended',
      nudges,
    });
    const { call, settings, lane } = await bench.claimCall(calls[0]!.id);
    expect(call).toMatchObject({ ...calls[0], runId, stage: 'triage', step: 1, seq: 0, state: 'running' });
    expect({ settings, lane }).toMatchObject({ settings: { playbook: 'scam-verdict' }, lane: 'live' });
    expect((await bench.eventTypes()).at(-1)).toBe('stage.suspended');
  });

  it('make their unit due when the last of the step is settled, failed ones included', async () => {
    const { bench, store } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const [first, second] = await bench.suspend(lease, ['scam_db', 'rdap']);
    expect(await bench.settle(first!)).toEqual({ kind: 'settled', nudges: [] });
    const gap = {
      state: 'failed',
      result: null,
      reasonCode: 'timeout',
      message: 'no answer\u0000',
    } as const;
    const { nudges } = await bench.settle(second!, gap);
    expect(nudges).toMatchObject([{ kind: 'stage', runId, stage: 'triage', nudge: 2 }]);
    const work = await bench.claim(runId);
    expect(work.waitOver).toBe(false);
    expect(work.toolCalls).toMatchObject([
      { tool: 'scam_db', state: 'succeeded', result: { found: true }, attempts: 1, durationMs: 12.5 },
      { tool: 'rdap', state: 'failed', result: null, reasonCode: 'timeout', message: 'no answer␀' },
    ]);
    const events = (await bench.events()).filter((event) => event.type === 'tool-call.completed');
    expect(events.map((event) => [event.data['tool'], event.data['state']])).toEqual([
      ['scam_db', 'succeeded'],
      ['rdap', 'failed'],
    ]);
    expect(await store.toolCalls.claim(first!, LEASE_MS)).toMatchObject({
      kind: 'refused',
      reason: 'settled',
    });
  });

  it('wake their unit once when all are settled at the same moment, through two processes', async () => {
    const { bench, store, other } = at();
    for (let time = 0; time < 5; time += 1) {
      const { runId } = await bench.accept();
      const { lease } = await bench.claim(runId);
      const ids = await bench.suspend(lease, ['a', 'b', 'c', 'd', 'e', 'f']);
      const leases = await Promise.all(ids.map(async (id) => (await bench.claimCall(id)).lease));
      const settled = await Promise.all(
        leases.map((held, i) => (i % 2 ? store : other).toolCalls.settle(held, aSettlement())),
      );
      expect(settled.flatMap((result) => result.nudges)).toHaveLength(1);
      await bench.claim(runId);
    }
  });

  it('R5 have leases of their own: the second worker wins, the first one is stale', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const [id] = await bench.suspend(lease, ['rdap']);
    const zombie = (await bench.claimCall(id!)).lease;
    expect(await store.toolCalls.claim(id!, LEASE_MS)).toMatchObject({ kind: 'refused', reason: 'leased' });
    await passTime(LEASE_MS + 1);
    const second = (await bench.claimCall(id!)).lease;
    expect(await store.toolCalls.renew([zombie, second], LEASE_MS)).toEqual([zombie]);
    expect(await store.toolCalls.settle(zombie, aSettlement())).toEqual({ kind: 'stale', nudges: [] });
    expect(await store.toolCalls.release(zombie)).toEqual([]);
    expect((await store.toolCalls.settle(second, aSettlement())).kind).toBe('settled');
    expect(await store.toolCalls.settle(second, aSettlement())).toEqual({ kind: 'stale', nudges: [] });
  });

  it('can be given back unused', async () => {
    const { bench, store } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const [id] = await bench.suspend(lease, ['rdap']);
    const held = (await bench.claimCall(id!)).lease;
    expect(await store.toolCalls.release(held)).toMatchObject([{ kind: 'tool', toolCallId: id, nudge: 2 }]);
    await bench.claimCall(id!);
  });

  it('R14 that kill their workers are given up as failed, and the run continues', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const [id] = await bench.suspend(lease, ['rdap'], { timeoutMs: 3_600_000 });
    for (let crash = 0; crash < 3; crash += 1) {
      await bench.claimCall(id!);
      await passTime(LEASE_MS + 1);
    }
    const last = await store.toolCalls.claim(id!, LEASE_MS);
    expect(last).toMatchObject({ kind: 'refused', reason: 'settled', nudges: [{ kind: 'stage', runId }] });
    const { toolCalls } = await bench.claim(runId);
    expect(toolCalls).toMatchObject([{ state: 'failed', reasonCode: 'crashed_repeatedly' }]);
  });

  it('are not run any more when the stage went on without them', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const [id] = await bench.suspend(lease, ['rdap'], { timeoutMs: 1_000 });
    await passTime(1_001);
    const work = await bench.claim(runId);
    expect(work.waitOver).toBe(true);
    await bench.advance(work.lease, 'collect');
    expect(await store.toolCalls.claim(id!, LEASE_MS)).toEqual({
      kind: 'refused',
      reason: 'settled',
      nudges: [],
    });
  });

  it('that are answered already make a second wait for them over at once', async () => {
    const { bench, store } = at();
    const { runId } = await bench.accept();
    const first = (await bench.claim(runId)).lease;
    const ids = await bench.suspend(first, ['a', 'b']);
    for (const id of ids) await bench.settle(id);
    const { lease } = await bench.claim(runId);
    const calls = ['a', 'b'].map((tool) => ({ id: bench.ids.id(), tool, args: {} }));
    const { nudges } = await bench.commit(lease, (at: Lease) =>
      moves.suspendUnit(at, {
        step: 1,
        calls,

        timeoutMs: 9_000,
      }),
    );
    expect(nudges).toMatchObject([{ kind: 'stage', runId, stage: 'triage' }]);
    expect((await bench.claim(runId)).toolCalls).toHaveLength(2);
    expect(await store.toolCalls.claim(calls[0]!.id, LEASE_MS)).toMatchObject({ reason: 'unknown' });
  });

  it('wait for a signal, also without any call', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const asked = {
      name: 'approved',
      question: 'Go on?',
      options: [{ value: 'yes', label: 'Yes' }],
      fallback: 'yes',
    };
    const signal = { signal: asked, timeoutMs: 600_000 };
    expect(
      (await bench.commit(lease, (at: Lease) => moves.suspendUnit(at, { step: 1, calls: [], ...signal })))
        .nudges,
    ).toEqual([]);
    expect(await store.units.claim(aClaimRequest(runId))).toMatchObject({ reason: 'suspended' });
    await passTime(600_001);
    expect((await bench.claim(runId)).waitOver).toBe(true);
  });

  it('wake the unit again when the answer to the settlement was lost', async () => {
    const { bench, store } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const [id] = await bench.suspend(lease, ['rdap']);
    const { nudges } = await bench.settle(id!);
    expect(await store.toolCalls.claim(id!, LEASE_MS)).toEqual({
      kind: 'refused',
      reason: 'settled',
      nudges,
    });
  });

  it('that were run inside the stage are recorded with it', async () => {
    const { bench, store } = at();
    const { runId, caseId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const place = { id: bench.ids.id(), step: 1, seq: 0, tool: 'scam_db', args: { v: 1 } };
    const call = { ...place, ...aSettlement() };
    await bench.commit(lease, advanceTo('collect'), { inlineToolCalls: [call] });
    const [run] = (await store.record.getCase(caseId))!.runs;
    expect(run?.toolCalls).toMatchObject([{ ...call, stage: 'triage', settledAt: expect.any(String) }]);
    expect(run?.trace.map((event) => event.type)).toContain('tool-call.completed');
  });

  it('R3 S4-06 that were run inside the stage are recorded with the intent of the next paid call, once', async () => {
    const { bench, store, passTime } = at();
    const { runId, caseId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const place = { id: bench.ids.id(), step: 2, seq: 0, tool: 'facts_get', args: { name: 'x' } };
    const failed = { state: 'failed', result: null, reasonCode: 'bad_answer', message: 'no' } as const;
    const calls = [
      { ...place, ...aSettlement() },
      { ...place, id: bench.ids.id(), seq: 1, ...aSettlement(failed) },
    ];
    const intent = { ...bench.intent(lease), inlineToolCalls: calls };
    expect(await store.interactions.intend(intent)).toBe(true);
    expect(await store.interactions.intend(intent)).toBe(true);
    const events = (await bench.events()).filter(({ type }) => /^(tool-call|interaction)\./.test(type));
    expect(events.map(({ type, data }) => [type, data['toolCallId'], data['state']])).toEqual([
      ['tool-call.completed', calls[0]?.id, 'succeeded'],
      ['tool-call.completed', calls[1]?.id, 'failed'],
      ['interaction.started', null, undefined],
    ]);
    await passTime(LEASE_MS + 1);
    const work = await bench.claim(runId);
    expect(work.toolCalls).toMatchObject(calls);
    // Another result at the same place does not replace the first.
    const again = { ...place, id: bench.ids.id(), ...aSettlement({ result: { found: false } }) };
    await bench.commit(work.lease, advanceTo('collect'), { inlineToolCalls: [again] });
    const [run] = (await store.record.getCase(caseId))!.runs;
    expect(run?.toolCalls.map((call) => call.result)).toEqual([{ found: true }, null]);
  });

  it('R5 that were run inside a stage whose lease is gone are not recorded', async () => {
    const { bench, store } = at();
    const { runId, caseId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const call = { id: bench.ids.id(), step: 1, seq: 0, tool: 'x', args: {}, ...aSettlement() };
    const intent = { ...bench.intent({ ...lease, epoch: 9 }), inlineToolCalls: [call] };
    expect(await store.interactions.intend(intent)).toBe(false);
    expect((await store.record.getCase(caseId))!.runs[0]?.toolCalls).toEqual([]);
  });

  it('are unknown if no stage asked for them', async () => {
    const { bench, store } = at();
    for (const id of [bench.ids.id(), 'x']) {
      expect(await store.toolCalls.claim(id, LEASE_MS)).toEqual({
        kind: 'refused',
        reason: 'unknown',
        nudges: [],
      });
    }
  });
});

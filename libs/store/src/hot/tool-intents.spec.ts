import { type ToolLease, type Lease, moves } from '@casefile/contracts';
import { aReservation } from '../testing/store-bench.js';
import { testRecord } from '../testing/test-record.js';
import { aResult, aSettlement } from '../testing/store-bench.js';

const LEASE_MS = 6_000;

const at = testRecord();

/**
 * Returns a call of a suspended stage that has called a model itself, at the same step and attempt as the
 * tool will.
 */
const heldCall = async (timeoutMs = 3_600_000) => {
  const { bench, store } = at();
  const { runId, caseId } = await bench.accept();
  const { lease } = await bench.claim(runId);
  const own = bench.intent(lease);
  await store.interactions.intend(own);
  const call = { id: bench.ids.id(), tool: 'pi_search', args: { query: 'x' } };
  await bench.commit(lease, (at: Lease) => moves.suspendUnit(at, { step: 2, calls: [call], timeoutMs }), {
    results: [aResult(own.interaction.id)],
  });
  const claimed = await bench.claimCall(call.id);
  return { runId, caseId, own: own.interaction.id, claimed, held: claimed.lease };
};
const crashed = async (held: ToolLease): Promise<ToolLease> => {
  const { bench, passTime } = at();
  await passTime(LEASE_MS + 1);
  return (await bench.claimCall(held.toolCallId)).lease;
};
const spent = async () =>
  (await at().store.budgets.states(9)).map(({ key, reserved, spent: paid }) => [key, reserved, paid]);

describe('tool calls that ask a model', () => {
  it('S4-10 S2-20 are on the record in addition to the stage, which does not take them for its own', async () => {
    const { bench, store } = at();
    const { runId, caseId, own, held, claimed } = await heldCall();
    expect(claimed).toMatchObject({ caseId, interactions: [] });
    const first = bench.toolIntent(held);
    expect(await store.interactions.intendForTool(first)).toBe(true);
    expect(await store.interactions.intendForTool(first)).toBe(true);
    const second = bench.toolIntent(held, { step: 2 }, [aResult(first.interaction.id)]);
    expect(await store.interactions.intendForTool(second)).toBe(true);
    const event = { type: 'provider.fallback', data: { step: 2 } };
    const more = { results: [aResult(second.interaction.id, { content: 'two' })], events: [event] };
    const { nudges } = await store.toolCalls.settle(held, aSettlement(), more);
    expect(nudges).toMatchObject([{ kind: 'stage', runId }]);
    expect((await bench.claim(runId)).interactions.map(({ id }) => id)).toEqual([own]);
    const { interactions } = (await store.record.getCase(caseId))!.runs[0]!;
    const toolCallId = held.toolCallId;
    const asked = { toolCallId, stage: 'triage', round: 1, attempt: 1, promptId: 'pi-search/choose@2' };
    expect(interactions).toMatchObject([
      { id: own, toolCallId: null, stage: 'triage', step: 1, attempt: 1 },
      { ...asked, id: first.interaction.id, step: 1, state: 'completed', content: 'yes' },
      { ...asked, id: second.interaction.id, step: 2, state: 'completed', content: 'two' },
    ]);
    const events = (await bench.events()).filter(({ data }) => data['toolCallId'] === toolCallId);
    expect(events.map(({ type, data }) => [type, data['step'], data['state']])).toEqual([
      ['interaction.started', 1, undefined],
      ['interaction.completed', 1, 'completed'],
      ['interaction.started', 2, undefined],
      ['interaction.completed', 2, 'completed'],
      ['tool-call.completed', 2, 'succeeded'],
    ]);
    expect(await bench.eventTypes()).toContain('provider.fallback');
  });

  it('R3 find after a crash what was answered, and what was under way is ambiguous', async () => {
    const { bench, store } = at();
    const { held } = await heldCall();
    const first = bench.toolIntent(held);
    await store.interactions.intendForTool(first);
    await store.interactions.intendForTool(
      bench.toolIntent(held, { step: 2 }, [aResult(first.interaction.id)]),
    );
    const { passTime } = at();
    await passTime(LEASE_MS + 1);
    const { interactions, lease } = await bench.claimCall(held.toolCallId);
    expect(interactions).toMatchObject([
      { step: 1, state: 'completed', content: 'yes', toolCallId: held.toolCallId },
      { step: 2, state: 'ambiguous' },
    ]);
    await expect(store.interactions.intendForTool(bench.toolIntent(lease))).rejects.toMatchObject({
      reasonCode: 'interaction_exists',
    });
    expect(await store.interactions.intendForTool(bench.toolIntent(lease, { step: 2, attempt: 2 }))).toBe(
      true,
    );
  });

  it('R5 are refused when their lease is old, and leave nothing', async () => {
    const { bench, store } = at();
    const { held, caseId } = await heldCall();
    const fresh = await crashed(held);
    const late = { ...bench.toolIntent(held), reservations: [aReservation()] };
    expect(await store.interactions.intendForTool(late)).toBe(false);
    expect(await spent()).toEqual([]);
    await store.toolCalls.settle(fresh, aSettlement());
    expect(await store.interactions.intendForTool(bench.toolIntent(fresh))).toBe(false);
    expect(await store.interactions.intendForTool(bench.toolIntent({ toolCallId: 'x', epoch: 1 }))).toBe(
      false,
    );
    expect((await store.record.getCase(caseId))!.runs[0]?.interactions).toHaveLength(1);
  });

  it('reserve in the budgets of their run and settle its outcome', async () => {
    const { bench, store } = at();
    const { held } = await heldCall();
    const first = { ...bench.toolIntent(held), reservations: [aReservation({ amount: 300 })] };
    expect(await store.interactions.intendForTool(first)).toBe(true);
    expect(await spent()).toEqual([['day:usd', 300, 0]]);
    const answered = aResult(first.interaction.id, { charge: { usd: 40, tokens: 9 } });
    const wide = {
      ...bench.toolIntent(held, { step: 2 }, [answered]),
      reservations: [aReservation({ amount: 961 })],
    };
    await expect(store.interactions.intendForTool(wide)).rejects.toMatchObject({
      reasonCode: 'budget_exhausted',
    });
    expect(await spent()).toEqual([['day:usd', 0, 40]]);
    const fits = bench.toolIntent(held, { step: 2 });
    await store.interactions.intendForTool({ ...fits, reservations: [aReservation({ amount: 960 })] });
    const paid = aResult(fits.interaction.id, { charge: { usd: 60, tokens: 9 } });
    await store.toolCalls.settle(held, aSettlement(), { results: [paid], events: [] });
    expect(await spent()).toEqual([['day:usd', 0, 100]]);
  });

  it('R3 of two that are under way at a settlement, the one whose end it tells is not ambiguous', async () => {
    const { bench, store } = at();
    const { held, caseId } = await heldCall();
    const [one, two] = [bench.toolIntent(held), bench.toolIntent(held, { step: 2 })];
    await store.interactions.intendForTool(one);
    await store.interactions.intendForTool(two);
    await store.toolCalls.settle(held, aSettlement(), {
      results: [aResult(two.interaction.id)],
      events: [],
    });
    const { interactions } = (await store.record.getCase(caseId))!.runs[0]!;
    expect(interactions.slice(1)).toMatchObject([
      { id: one.interaction.id, state: 'ambiguous' },
      { id: two.interaction.id, state: 'completed' },
    ]);
  });

  it.each(['a settlement', 'a crash', 'the end of the wait', 'too many crashes'])(
    'R3 charge the worst case for what was under way at %s',
    async (end) => {
      const { bench, store, passTime } = at();
      const { held, runId, caseId } = await heldCall(end === 'the end of the wait' ? 1_000 : 3_600_000);
      let lease = held;
      if (end === 'too many crashes') lease = await crashed(await crashed(held));
      await store.interactions.intendForTool({
        ...bench.toolIntent(lease),
        reservations: [aReservation({ amount: 300 })],
      });
      const failed = aSettlement({ state: 'failed', result: null, reasonCode: 'timeout' });
      if (end === 'a settlement') await store.toolCalls.settle(lease, failed);
      if (end === 'a crash') await crashed(held);
      await passTime(LEASE_MS + 1);
      if (end === 'the end of the wait') await bench.claim(runId);
      if (end === 'too many crashes') await store.toolCalls.claim(lease.toolCallId, LEASE_MS);
      expect(await spent()).toEqual([['day:usd', 0, 300]]);
      const { interactions } = (await store.record.getCase(caseId))!.runs[0]!;
      expect(interactions.map(({ state }) => state)).toEqual(['completed', 'ambiguous']);
    },
  );
});

import { moves, type Lease } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';
import { aReservation } from '../testing/store-bench.js';

const at = testRecord();

describe('a budget that is raised', () => {
  const parked = async () => {
    const { bench, store } = at();
    const accepted = await bench.accept();
    const { lease } = await bench.claim(accepted.runId);
    const key = `case:${accepted.caseId}:tokens`;
    const wide = aReservation({ key, window: 'all', measure: 'tokens', amount: 1_500 });
    const intend = (of: typeof lease) =>
      store.interactions.intend({ ...bench.intent(of), reservations: [wide] });
    await expect(intend(lease)).rejects.toMatchObject({ reasonCode: 'budget_exhausted' });
    const change = (at: Lease) => moves.parkRun(at, { reasonCode: 'budget_exhausted', message: 'no room' });
    await bench.commit(lease, change, {
      events: [{ type: 'budget.exhausted', data: { step: 1, key, window: 'all' } }],
    });
    return { ...accepted, key, intend };
  };
  const raise = (caseId: string, measure: 'usd' | 'tokens' = 'tokens') =>
    at().store.budgets.raise({ caseId, measure, amount: 500, by: 'ops' });

  it('has room for what was refused, and sends the run that waits for it on, once', async () => {
    const { bench, store } = at();
    const { caseId, runId, key, intend } = await parked();
    const both = await Promise.allSettled([raise(caseId), raise(caseId)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await store.budgets.states(1))[0]).toMatchObject({ key, limit: 1_500 });
    expect(await intend((await bench.claim(runId)).lease)).toBe(true);
    expect((await bench.eventTypes()).filter((type) => type.startsWith('operator.'))).toEqual([
      'operator.redrove',
      'operator.raised-budget',
    ]);
  });

  it('says what it counts, and that nothing waits for it', async () => {
    const { bench } = at();
    const { caseId } = await parked();
    await expect(raise(caseId, 'usd')).rejects.toMatchObject({ problems: [{ path: 'tokens' }] });
    const other = await bench.accept({ fingerprint: null });
    await expect(raise(other.caseId)).rejects.toMatchObject({ reasonCode: 'conflict' });
    await expect(raise('00000000-0000-4000-8000-00000000abcd')).rejects.toMatchObject({
      reasonCode: 'unknown_case',
    });
  });
});

import { advanceTo, aReservation, aResult } from '@casefile/store/testing';
import { onRecord } from '../proofs/parts/record.js';
import { chargedTokens, furtherCalls, readFurtherCalls, type RecordedCall } from './further-calls.js';

const call = (step: string, attempt: number, state: string, seconds = 1): RecordedCall => ({
  key: `${step}/${attempt}`,
  step,
  state,
  seconds,
});
const NONE = { afterLostLease: 0, shortestLeaseS: null, afterFailure: 0, unexplained: 0 };

it('counts no further call with one call per step, also if an intent was never sent', () => {
  const rows = [call('a', 1, 'completed'), call('b', 1, 'ambiguous'), call('b', 2, 'completed')];
  expect(furtherCalls(rows, { 'a/1': 1, 'b/2': 1 })).toEqual(NONE);
});

it('assigns further calls to a lost lease or a failure of the earlier call', () => {
  const rows = [
    call('a', 1, 'ambiguous', 6.53),
    call('b', 1, 'failed'),
    call('a', 2, 'ambiguous', 9),
    call('b', 2, 'completed'),
    call('a', 3, 'completed'),
  ];
  const byKey = { 'a/1': 1, 'a/2': 1, 'a/3': 1, 'b/1': 1, 'b/2': 1 };
  expect(furtherCalls(rows, byKey)).toEqual({
    afterLostLease: 2,
    shortestLeaseS: 6.5,
    afterFailure: 1,
    unexplained: 0,
  });
});

it('explains no call after an answer, none that is made twice, and none without an intent', () => {
  const rows = [call('a', 1, 'completed'), call('a', 2, 'completed'), call('b', 1, 'completed')];
  expect(furtherCalls(rows, { 'a/1': 1, 'a/2': 1, 'b/1': 2, 'c/1': 1 })).toEqual({ ...NONE, unexplained: 3 });
});

it('finds a call after a lost lease on a record, and what its budget has counted', () =>
  onRecord(async ({ store, bench, passTime, databaseUrl }) => {
    const { runId } = await bench.accept();
    const first = await bench.claim(runId, { leaseMs: 6_000 });
    const reservations = [aReservation({ key: 'day:tokens', measure: 'tokens', amount: 300 })];
    await store.interactions.intend({ ...bench.intent(first.lease), reservations });
    await passTime(6_001);
    const { lease } = await bench.claim(runId, { leaseMs: 6_000 });
    const again = { ...bench.intent(lease, { attempt: 2 }), reservations };
    await store.interactions.intend(again);
    const result = aResult(again.interaction.id, { charge: { usd: null, tokens: 15 } });
    await bench.commit(lease, advanceTo('collect'), { results: [result] });
    const step = `${runId}//${lease.stage}/1/1`;
    const found = await readFurtherCalls(databaseUrl, { [`${step}/1`]: 1, [`${step}/2`]: 1 });
    expect(found).toMatchObject({ afterLostLease: 1, afterFailure: 0, unexplained: 0 });
    expect(found.shortestLeaseS).toBeGreaterThanOrEqual(6);
    const [day] = await store.budgets.states(10);
    expect([day?.spent, day?.reserved, await chargedTokens(databaseUrl)]).toEqual([315, 0, 315]);
  }));

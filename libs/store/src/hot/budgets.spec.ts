import fc from 'fast-check';
import {
  type CaseStore,
  CasefileError,
  type Charge,
  type Lease,
  type Reservation,
  moves,
} from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';
import { advanceTo, aReservation, aResult, aSettlement } from '../testing/store-bench.js';

const DAY = '2026-01-05';
const charged = (id: string, charge: Charge) => aResult(id, { charge });

const at = testRecord();

const figures = async (store: CaseStore) =>
  (await store.budgets.states(100))
    .map(({ key, window, reserved, spent }) => [`${key} ${window}`, reserved, spent])
    .sort();

const intend = async (
  lease: Lease,
  reservations: Reservation[],
  over: object = {},
  results = [] as never[],
) => {
  const { store, bench } = at();
  const request = { ...bench.intent(lease, over, results), reservations };
  return { held: await store.interactions.intend(request), id: request.interaction.id, request };
};

const leaseOf = async (): Promise<Lease> => {
  const { bench } = at();
  return (await bench.claim((await bench.accept()).runId)).lease;
};

describe('budgets', () => {
  it('reserve the worst case with the intent, and settle the cost of the call with its result', async () => {
    const { store, bench } = at();
    const lease = await leaseOf();
    const { id } = await intend(lease, [
      aReservation({ amount: 300 }),
      aReservation({ key: 'case:1:tokens', window: 'all', measure: 'tokens', amount: 50 }),
    ]);
    expect(await figures(store)).toEqual([
      ['case:1:tokens all', 50, 0],
      [`day:usd ${DAY}`, 300, 0],
    ]);
    await bench.commit(lease, advanceTo('collect'), { results: [charged(id, { usd: 120, tokens: 20 })] });
    expect(await figures(store)).toEqual([
      ['case:1:tokens all', 0, 20],
      [`day:usd ${DAY}`, 0, 120],
    ]);
  });

  it('settle with the next intent, whose room it makes', async () => {
    const { store, bench } = at();
    const lease = await leaseOf();
    const { id } = await intend(lease, [aReservation({ amount: 900 })]);
    const request = {
      ...bench.intent(lease, { attempt: 2 }, [charged(id, { usd: 0, tokens: 0 })]),
      reservations: [aReservation({ amount: 1_000 })],
    };
    expect(await store.interactions.intend(request)).toBe(true);
    expect(await figures(store)).toEqual([[`day:usd ${DAY}`, 1_000, 0]]);
  });

  it('take the worst case if the cost of a call is unknown', async () => {
    const { store, bench } = at();
    const lease = await leaseOf();
    const { id } = await intend(lease, [aReservation({ amount: 300 })]);
    await bench.commit(lease, advanceTo('collect'), {
      results: [charged(id, { usd: null, tokens: null })],
    });
    expect(await figures(store)).toEqual([[`day:usd ${DAY}`, 0, 300]]);
  });

  it('settle a call that was under way at a crash at its worst case, once', async () => {
    const { store, bench, passTime } = at();
    const lease = await leaseOf();
    const { id } = await intend(lease, [aReservation({ amount: 300 })]);
    await passTime(7_000);
    const again = await bench.claim(lease.runId);
    expect(again.interactions.map((one) => one.state)).toEqual(['ambiguous']);
    expect(await figures(store)).toEqual([[`day:usd ${DAY}`, 0, 300]]);
    await bench.commit(again.lease, advanceTo('collect'), {
      results: [charged(id, { usd: 1, tokens: 1 })],
    });
    expect(await figures(store)).toEqual([[`day:usd ${DAY}`, 0, 300]]);
  });

  it('refuse the call that does not fit, all of its budgets or none; results that came with it stay', async () => {
    const { store, bench } = at();
    const lease = await leaseOf();
    const { id } = await intend(lease, [aReservation({ amount: 100 })]);
    const wide = aReservation({ key: 'lane:live:usd', amount: 950 });
    const request = {
      ...bench.intent(lease, { attempt: 2 }, [charged(id, { usd: 100, tokens: 0 })]),
      inlineToolCalls: [{ id: bench.ids.id(), step: 1, seq: 0, tool: 'x', args: {}, ...aSettlement() }],
      reservations: [wide, aReservation({ amount: 950 })],
    };
    const refused = await store.interactions.intend(request).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CasefileError);
    expect(refused).toMatchObject({
      reasonCode: 'budget_exhausted',
      details: { key: 'day:usd', window: DAY },
    });
    expect((await figures(store)).filter(([key]) => key !== `lane:live:usd ${DAY}`)).toEqual([
      [`day:usd ${DAY}`, 0, 100],
    ]);
    const found = await store.record.getCase((await bench.events())[0]!.caseId!);
    expect(found?.runs[0]?.interactions.map((one) => [one.attempt, one.state])).toEqual([[1, 'completed']]);
    expect(found?.runs[0]?.toolCalls.map(({ tool }) => tool)).toEqual(['x']);
  });

  it('count a window by itself', async () => {
    const { store } = at();
    const lease = await leaseOf();
    await intend(lease, [aReservation({ amount: 1_000 })]);
    await intend(lease, [aReservation({ amount: 1_000, window: '2026-01-06' })], { attempt: 2 });
    expect(await figures(store)).toHaveLength(2);
  });

  it('reserve once for an intent that is sent again', async () => {
    const { store } = at();
    const lease = await leaseOf();
    const { request } = await intend(lease, [aReservation({ amount: 600 })]);
    expect(await store.interactions.intend(request)).toBe(true);
    expect(await figures(store)).toEqual([[`day:usd ${DAY}`, 600, 0]]);
  });

  it('reserve nothing for a lease that is stale', async () => {
    const { store } = at();
    const lease = await leaseOf();
    expect((await intend({ ...lease, epoch: 9 }, [aReservation()])).held).toBe(false);
    expect((await figures(store)).every(([, reserved]) => reserved === 0)).toBe(true);
  });

  it('tell once a window that they are nearly used up', async () => {
    const { store, bench } = at();
    const lease = await leaseOf();
    for (let attempt = 1; attempt <= 10; attempt += 1) await intend(lease, [aReservation()], { attempt });
    const events = (await bench.events()).filter((event) => event.type === 'budget.soft');
    expect(events.map((event) => event.data)).toEqual([
      { key: 'day:usd', window: DAY, measure: 'usd', limit: 1_000, used: 800 },
    ]);
    expect(await store.budgets.states(1)).toMatchObject([{ warned: true, limit: 1_000 }]);
  });

  it('are read newest first, and those that are asked for by name however old', async () => {
    const { store, passTime } = at();
    const lease = await leaseOf();
    for (const [attempt, key] of [
      [1, 'day:usd'],
      [2, 'lane:batch:usd'],
      [3, 'playbook:p:usd'],
    ] as const) {
      await intend(lease, [aReservation({ key })], { attempt });
      await passTime(1_000);
    }
    const named = [
      { key: 'day:usd', window: DAY },
      { key: 'nobody:usd', window: DAY },
    ];
    const keys = (await store.budgets.states(1, named)).map(({ key }) => key);
    expect(keys).toEqual(['playbook:p:usd', 'day:usd']);
  });

  it('go by the newest limit', async () => {
    const lease = await leaseOf();
    await intend(lease, [aReservation({ amount: 1_000 })]);
    expect((await intend(lease, [aReservation({ limit: 2_000 })], { attempt: 2 })).held).toBe(true);
    await expect(intend(lease, [aReservation({ limit: 500 })], { attempt: 3 })).rejects.toMatchObject({
      reasonCode: 'budget_exhausted',
    });
  });

  it('keep how the model of a call was selected, and what goes back with the next turn', async () => {
    const { bench } = at();
    const lease = await leaseOf();
    const { id } = await intend(lease, [], { route: 'fallback' });
    const providerState = { items: [{ signature: 'xyz' }] };
    await intend(lease, [], { step: 2 });
    await bench.commit(lease, advanceTo('collect'), {
      results: [aResult(id, { reasoningKind: 'encrypted', providerState })],
    });
    const found = await at().store.record.getCase((await bench.events())[0]!.caseId!);
    expect(found?.runs[0]?.interactions[0]).toMatchObject({
      route: 'fallback',
      reasoningKind: 'encrypted',
      providerState,
    });
  });

  it('never go over while 200 cases ask at once in two processes and none has been answered', async () => {
    const { store, other, bench } = at();
    const leases = await Promise.all(Array.from({ length: 200 }, leaseOf));
    const amounts = fc.sample(fc.integer({ min: 1, max: 400 }), { numRuns: 200, seed: 11 });
    const ask = async (lease: Lease, i: number): Promise<number> => {
      const amount = amounts[i]!;
      const reservations = [aReservation({ amount, limit: 10_000, softAt: 10_000 })];
      const process = i % 2 === 0 ? store : other;
      const held = await process.interactions
        .intend({ ...bench.intent(lease), reservations })
        .catch(() => false);
      return held ? amount : 0;
    };
    const taken = (await Promise.all(leases.map(ask))).reduce((sum, amount) => sum + amount, 0);
    expect(await figures(store)).toEqual([[`day:usd ${DAY}`, taken, 0]]);
    expect(taken).toBeLessThanOrEqual(10_000);
    // The rest was too little for one more. No request was refused because of others that were refused too.
    expect(taken).toBeGreaterThan(9_600);
  });

  it('never go over, whatever 200 cases ask at once in two processes', async () => {
    const { store, other, bench } = at();
    const leases = await Promise.all(Array.from({ length: 200 }, leaseOf));
    const call = fc.record({
      amount: fc.integer({ min: 1, max: 400 }),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const calls = fc.sample(fc.array(call, { minLength: 200, maxLength: 200 }), {
      numRuns: 1,
      seed: 7,
    })[0]!;
    const limit = 10_000;
    const over: number[] = [];
    const watch = async () => {
      for (const { reserved, spent } of await store.budgets.states(10))
        if (reserved + spent > limit) over.push(1);
    };
    const one = async (lease: Lease, i: number) => {
      const { amount, part } = calls[i]!;
      const process = i % 2 === 0 ? store : other;
      const keys = ['day:usd', i % 3 === 0 ? 'lane:live:usd' : 'lane:batch:usd'];
      const reservations = keys.map((key) => aReservation({ key, amount, limit, softAt: limit }));
      const request = { ...bench.intent(lease), reservations };
      const held = await process.interactions
        .intend(request)
        .catch((error: CasefileError) => error.reasonCode);
      if (i % 20 === 0) await watch();
      if (held !== true) return { held, spent: 0 };
      const usd = Math.floor(amount * part);
      const results = [charged(request.interaction.id, { usd, tokens: 0 })];
      await process.units.commit(bench.commitRequest(lease, advanceTo('collect'), { results }));
      return { held, spent: usd };
    };
    const done = await Promise.all(leases.map(one));
    const spent = done.reduce((sum, one) => sum + one.spent, 0);
    expect(over).toEqual([]);
    expect(new Set(done.map(({ held }) => held))).toEqual(new Set([true, 'budget_exhausted']));
    expect((await figures(store)).find(([key]) => key === `day:usd ${DAY}`)).toEqual([
      `day:usd ${DAY}`,
      0,
      spent,
    ]);
    expect(spent).toBeLessThanOrEqual(limit);
  });
});

describe('parked runs', () => {
  it('wait for a person, and go on where they were when they are redriven', async () => {
    const { store, bench } = at();
    const accepted = await bench.accept();
    const { lease } = await bench.claim(accepted.runId);
    await bench.commit(lease, (at: Lease) =>
      moves.parkRun(at, { reasonCode: 'budget_exhausted', message: 'no room' }),
    );
    expect((await store.record.getCase(accepted.caseId))?.runs[0]).toMatchObject({
      status: 'parked',
      reasonCode: 'budget_exhausted',
      message: 'no room',
      stage: 'triage',
    });
    expect(await bench.eventTypes()).toContain('run.parked');
    expect(await store.units.sweep(10)).toEqual([]);
    const [nudge] = (await store.deadLetters.redrive([accepted.runId])).nudges;
    expect(nudge).toMatchObject({ stage: 'triage', round: 1 });
    await bench.claim(accepted.runId);
  });
});

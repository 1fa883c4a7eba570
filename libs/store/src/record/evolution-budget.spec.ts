import fc from 'fast-check';
import { moves, type CasefileError, type InteractionResult, type Lease } from '@casefile/contracts';
import { aReservation, aResult } from '../testing/store-bench.js';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const MILLION = 1_000_000;
/** Longer than a lease. */
const LEASE_OVER_MS = 60_000;

/** A call: its worst case in millionths of a US dollar, and its end. */
const call = fc.record({
  worst: fc.integer({ min: 1, max: 4_000 }),
  /** Share of the worst case that it costs. null: its cost is unknown. */
  part: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 6 }),
});
/** A run of an evolution: its calls one after another. */
const run = fc.record({
  calls: fc.array(call, { minLength: 1, maxLength: 4 }),
  /** Whether its process is killed during the last call. */
  isKilled: fc.boolean(),
});
const evolution = fc.record({
  budget: fc.integer({ min: 1, max: 20_000 }),
  raisedBy: fc.integer({ min: 0, max: 10_000 }),
  runs: fc.array(run, { minLength: 2, maxLength: 10 }),
  later: fc.array(run, { minLength: 2, maxLength: 10 }),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

const act = () => ({ actId: at().bench.ids.id(), by: 'ann', reason: 'a test' });

async function started(budget: number): Promise<string> {
  const id = at().bench.ids.id();
  await at().store.evolutions.create({
    id,
    playbook: 'p',
    // One open evolution per prompt.
    name: id,
    dataset: null,
    weights: { status: 1 },
    budgetUsd: budget / MILLION,
    baseVersion: 1,
    progress: {},
    ...act(),
  });
  return id;
}

/** Returns what is spent and reserved, and fails if it is above the budget. */
async function withinBudget(id: string): Promise<number> {
  const { costUsd, budgetUsd } = (await at().store.evolutions.get(id))!;
  const [cost, budget] = [Math.round(costUsd * MILLION), Math.round(budgetUsd * MILLION)];
  expect(cost).toBeLessThanOrEqual(budget);
  return cost;
}

/** Reserves and pays calls as a process does, with the present budget. Returns the money that they took. */
async function paid(id: string, { calls, isKilled }: Run, place: number) {
  const { bench, store, other } = at();
  const process = place % 2 === 0 ? store : other;
  const { lease } = await bench.claim((await bench.accept({ fingerprint: null })).runId);
  let unwritten: InteractionResult[] = [];
  let [taken, refused] = [0, 0];
  for (const [i, { worst, part }] of calls.entries()) {
    const limit = Math.round((await process.batches.budget(id))! * MILLION);
    const reservation = { key: `batch:${id}:usd`, window: 'all', amount: worst, limit, softAt: limit };
    const request = {
      ...bench.intent(lease, { step: i + 1 }, unwritten),
      reservations: [aReservation(reservation)],
    };
    const held = await process.interactions
      .intend(request)
      .catch(({ reasonCode }: CasefileError) => reasonCode);
    unwritten = [];
    await withinBudget(id);
    if (held !== true) {
      expect(held).toBe('budget_exhausted');
      refused += 1;
      continue;
    }
    if (isKilled && i === calls.length - 1) return { taken: taken + worst, refused, lost: lease };
    const usd = part === null ? null : Math.floor(worst * part);
    taken += usd ?? worst;
    unwritten = [aResult(request.interaction.id, { charge: { usd, tokens: null } })];
  }
  const park = (of: Lease) => moves.parkRun(of, { reasonCode: 'batch_budget', message: 'no room' });
  await process.units.commit(bench.commitRequest(lease, park, { results: unwritten }));
  return { taken, refused, lost: null };
}

it('S4-61 an evolution never exceeds its budget, whatever its calls cost and however many ask at once', async () => {
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(evolution, async ({ budget, raisedBy, runs, later }) => {
      const { bench, store, passTime } = at();
      const id = await started(budget);
      const all = (of: readonly Run[]) => Promise.all(of.map((one, place) => paid(id, one, place)));
      const before = await all(runs);
      const read = (await store.evolutions.get(id))!;
      await store.evolutions.hold(read, 'its budget is used up');
      await store.evolutions.act(id, 'resume', act(), (budget + raisedBy) / MILLION);
      // A driver that read the evolution before its budget was raised.
      await store.evolutions.hold(read, 'its budget is used up');
      expect((await store.evolutions.get(id))!.state).toBe(raisedBy > 0 ? 'running' : 'paused');
      if (raisedBy === 0) await store.evolutions.act(id, 'resume', act());
      const after = await all(later);
      const ended = [...before, ...after];
      const taken = ended.reduce((sum, one) => sum + one.taken, 0);
      refusals += ended.reduce((sum, one) => sum + one.refused, 0);
      expect(await withinBudget(id)).toBe(taken);
      // The next process settles the calls of killed ones at their worst case.
      await passTime(LEASE_OVER_MS);
      for (const { lost } of ended) if (lost !== null) await bench.claim(lost.runId);
      expect(await withinBudget(id)).toBe(taken);
    }),
    { numRuns: 8, seed: 38 },
  );
  expect(refusals).toBeGreaterThan(0);
}, 300_000);

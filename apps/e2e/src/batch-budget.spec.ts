import type { Batch } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { configuredWorld, type ConfiguredWorld } from './testing/configured-world.js';

let simulator: Simulator;
let world: ConfiguredWorld;

beforeAll(async () => {
  simulator = await startSimulator();
  // A dollar for a thousand tokens: a call costs about a dollar, and may cost several.
  const price = '{ input: 1000, output: 1000 }';
  const prices = `{ dear: ${price}, casefile-simulator: ${price} }`;
  const yaml = `providers: { simulator: { model: dear, prices: ${prices} } }\ncalls: { probeAtStart: false }\n`;
  const llm = { LLM_PROVIDER: 'simulator', LLM_BASE_URL: simulator.baseUrl };
  world = await configuredWorld(yaml, llm);
});
afterAll(async () => {
  await world.close();
  await simulator.close();
});

async function inState(batchId: string, states: Batch['state'][]): Promise<Batch> {
  let batch: Batch | null = null;
  await until(`the batch is ${states.join(' or ')}`, async () => {
    batch = await world.platform.store.batches.get(batchId);
    return batch !== null && states.includes(batch.state);
  });
  return batch!;
}

describe('S4-62 the budget of a batch', () => {
  const CASES = 12;
  // Without evidence no rule agrees with the answer, so each case asks a second question.
  const CALLS = 2 * CASES;

  it('is never gone beyond, holds the batch before the next call, and raised lets it go on with nothing paid twice', async () => {
    const ids: string[] = [];
    for (let i = 0; i < CASES; i += 1)
      ids.push(
        (
          await world.accept({
            playbook: 'scam-verdict',
            text: `Parcel ${i} is held, pay at once`,
            collect: false,
          })
        ).caseId,
      );
    await world.ended(ids);
    simulator.reset();
    const { platform } = world;
    const ask = { filter: {}, evidence: 'fresh' as const };
    const { count, estimateUsd } = await platform.rerun.createBatch({ ...ask, dryRun: true });
    expect(count).toBe(CASES);
    const budgetUsd = estimateUsd / 2;
    const { batchId } = await platform.rerun.createBatch({ ...ask, budgetUsd });
    const held = await inState(batchId!, ['paused', 'done']);
    expect(held).toMatchObject({ state: 'paused', reason: 'its budget is used up', failed: 0 });
    expect(held.done).toBeLessThan(CASES);
    // It is held as soon as one run has no room, which may be before the call of the first has come to the model.
    await until('a call within the budget', () => simulator.calls().total > 0);
    const isWithinBudget = async () => {
      const [state] = await platform.store.budgets.states(0, [
        { key: `batch:${batchId}:usd`, window: 'all' },
      ]);
      expect(state!.spent + state!.reserved).toBeLessThanOrEqual(budgetUsd * 1e6);
    };
    await isWithinBudget();
    // Resumed as it is, it is held again, and makes no call, except for calls that had a share reserved and took less.
    for (let before = 0; before < simulator.calls().total;) {
      before = simulator.calls().total;
      await platform.store.batches.act(batchId!, 'resume');
      expect(await inState(batchId!, ['paused', 'done'])).toMatchObject({ state: 'paused' });
      await isWithinBudget();
    }
    expect(simulator.calls().total).toBeLessThan(CALLS);
    await platform.store.batches.act(batchId!, 'resume', { budgetUsd: estimateUsd * 10 });
    const done = await inState(batchId!, ['done', 'paused']);
    expect(done).toMatchObject({ state: 'done', done: CASES, failed: 0 });
    const { total, byStep } = simulator.calls();
    expect(total).toBe(Object.keys(byStep).length);
    expect(total).toBe(CALLS);
    const { members } = await platform.store.batches.members(batchId!, CASES, 0);
    for (const { runId } of members)
      expect((await platform.store.record.getRun(runId))!.verdict).toMatchObject({
        degraded: false,
        method: 'llm',
      });
  });

  it('of a model whose price is unknown is refused', async () => {
    const ask = { filter: {}, budgetUsd: 1, settings: { model: 'unpriced' } };
    await expect(world.platform.rerun.createBatch(ask)).rejects.toMatchObject({
      problems: [{ path: 'budgetUsd', message: expect.stringContaining('simulator/unpriced') }],
    });
  });
});

import { until } from '@casefile/contracts/testing';
import { seededRandom, type EvolutionEntry } from '@casefile/contracts';
import type { Simulator } from '@casefile/llm-simulator/simulator';
import type { EvolutionState } from '@casefile/pipeline';
import type { PostgresStore } from '@casefile/store';
import { testAct } from '../../testing/experiments.js';
import type { ConfiguredWorld } from '../../testing/configured-world.js';
import {
  ENDS_WITHIN_MS,
  evolvingSimulator,
  evolvingWorld,
  labelledCases,
  PRICED,
  startEvolutionIn,
} from '../evolving-world.js';

let simulator: Simulator;
let world: ConfiguredWorld;
const store = (): PostgresStore => world.platform.store as PostgresStore;

beforeAll(async () => {
  simulator = await evolvingSimulator();
  world = await evolvingWorld(simulator);
  await labelledCases(world, 20);
});
afterAll(async () => {
  await world.close();
  await simulator.close();
});

async function evolution(id: string): Promise<EvolutionEntry> {
  return (await store().evolutions.get(id))!;
}

async function inState(id: string, states: EvolutionEntry['state'][]): Promise<EvolutionEntry> {
  const isThere = async () => states.includes((await evolution(id)).state);
  await until(`the evolution is ${states.join(' or ')}`, isThere, 20, ENDS_WITHIN_MS);
  return evolution(id);
}

/** Texts, parents and scores, without the ids of the evolution. */
function lineage({ progress }: EvolutionEntry) {
  return (progress as unknown as EvolutionState).candidates;
}

/** Model calls of the runs of an evolution by step, with more than one completed answer. */
async function paidTwice(id: string): Promise<object[]> {
  return store().database.rows(
    `select x.run_id, x.stage, x.round, x.step, count(*) from llm_interactions x join runs r on r.id = x.run_id
     where r.settings ->> 'batch' = $1 and x.read_from is null and x.state = 'completed'
     group by 1, 2, 3, 4 having count(*) > 1`,
    [id],
  );
}

describe('S4-61 an evolution', () => {
  const SMALL = { mostEvaluations: 60 };

  it('pauses and resumes with the same lineage, also if writes of its driver are lost at any step', async () => {
    const first = await startEvolutionIn(world, SMALL);
    const whole = await inState(first.id, ['done']);
    const { id } = await startEvolutionIn(world, SMALL);
    // A process that dies before its write loses the state of the last step, but not the runs.
    const random = seededRandom(7);
    const { evolutions } = store();
    const keep = evolutions.keep.bind(evolutions);
    let lost = 0;
    evolutions.keep = async (of, step, progress) => {
      if (random() > 0.4) return keep(of, step, progress);
      lost += 1;
      return false;
    };
    try {
      await until('a step has ended', async () => (await evolution(id)).step > 0);
      await evolutions.act(id, 'pause', testAct());
      const paused = await evolution(id);
      expect(paused.state).toBe('paused');
      await expect(evolutions.act(id, 'pause', testAct())).rejects.toMatchObject({ reasonCode: 'conflict' });
      await evolutions.act(id, 'resume', testAct());
      const done = await inState(id, ['done']);
      expect(lost).toBeGreaterThan(0);
      expect(lineage(done)).toEqual(lineage(whole));
      expect(done.report).toEqual(whole.report);
      expect(await paidTwice(id)).toEqual([]);
    } finally {
      evolutions.keep = keep;
    }
  });

  it('never exceeds its budget, pauses before the next call, and continues with a higher one', async () => {
    const { id, budgetUsd } = await startEvolutionIn(world, { ...SMALL, budgetUsd: 0.02 });
    const isWithinBudget = async () => {
      const [state] = await store().budgets.states(0, [{ key: `batch:${id}:usd`, window: 'all' }]);
      if (state !== undefined) expect(state.spent + state.reserved).toBeLessThanOrEqual(budgetUsd * 1e6);
    };
    await until('the budget is used up', async () => {
      await isWithinBudget();
      return (await evolution(id)).state !== 'running';
    });
    expect(await evolution(id)).toMatchObject({ state: 'paused', reason: 'its budget is used up' });
    await isWithinBudget();
    await store().evolutions.act(id, 'resume', testAct(), 5);
    expect(await inState(id, ['done', 'paused'])).toMatchObject({ state: 'done', budgetUsd: 5 });
    expect(await paidTwice(id)).toEqual([]);
  });

  it('is started once per act, one at a time per prompt, and stops for good', async () => {
    const act = testAct();
    const { id } = await startEvolutionIn(world, { ...SMALL, ...act });
    expect(await startEvolutionIn(world, { ...SMALL, ...act })).toMatchObject({ id });
    await expect(startEvolutionIn(world, SMALL)).rejects.toMatchObject({ reasonCode: 'conflict' });
    expect(await store().evolutions.act(id, 'stop', testAct())).toMatchObject({ state: 'stopped' });
    await expect(store().evolutions.act(id, 'resume', testAct())).rejects.toMatchObject({
      reasonCode: 'conflict',
    });
  });

  it('pauses with the cause if no text could have helped its runs, and starts them again when it is resumed', async () => {
    const poor = await evolvingWorld(simulator, { ...PRICED, budgets: { lane: { shadow: { tokens: 10 } } } });
    try {
      const { evolutions, database } = poor.platform.store as PostgresStore;
      await labelledCases(poor, 20);
      const { id } = await startEvolutionIn(poor, SMALL);
      const paused = () =>
        until('the evolution is paused', async () => (await evolutions.get(id))!.state === 'paused');
      const redriven = () =>
        database.rows(
          `select from events e join runs r on r.id = e.run_id
           where e.type = 'run.redriven' and r.settings ->> 'batch' = $1`,
          [id],
        );
      await paused();
      const before = (await evolutions.get(id))!;
      expect(before).toMatchObject({
        reason: 'its runs cannot continue: a budget is used up',
        report: null,
      });
      expect(await redriven()).toEqual([]);
      await evolutions.act(id, 'resume', testAct());
      await paused();
      expect((await redriven()).length).toBeGreaterThan(0);
      expect(lineage((await evolutions.get(id))!)).toEqual(lineage(before));
    } finally {
      await poor.close();
    }
  });
});

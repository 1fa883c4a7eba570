import type { EvolutionEntry } from '@casefile/contracts';
import type { Simulator } from '@casefile/llm-simulator/simulator';
import type { EvolutionReport, EvolutionState } from '@casefile/pipeline';
import type { ConfiguredWorld } from '../testing/configured-world.js';
import { until } from '@casefile/contracts/testing';
import {
  ENDS_WITHIN_MS,
  evolvingSimulator,
  evolvingWorld,
  injectedRuns,
  HIDDEN,
  labelledCases,
  PROMPT,
  startEvolutionIn,
} from './evolving-world.js';

let simulator: Simulator;
let world: ConfiguredWorld;
const store = () => world.platform.store;

beforeAll(async () => {
  simulator = await evolvingSimulator();
  world = await evolvingWorld(simulator);
});
afterAll(async () => {
  await world.close();
  await simulator.close();
});

async function inState(id: string, states: EvolutionEntry['state'][]): Promise<EvolutionEntry> {
  let evolution: EvolutionEntry | null = null;
  const isThere = async () => {
    evolution = await store().evolutions.get(id);
    return evolution !== null && states.includes(evolution.state);
  };
  await until(`the evolution is ${states.join(' or ')}`, isThere, 20, ENDS_WITHIN_MS);
  return evolution!;
}

describe('S4-54 S4-61 a prompt evolution', () => {
  it('is refused with fewer than 20 labelled cases, with the number missing', async () => {
    await labelledCases(world, 6);
    await expect(startEvolutionIn(world)).rejects.toMatchObject({
      problems: [{ path: 'from', message: expect.stringContaining('found 6: 14 are missing') as string }],
    });
  });

  it('finds a hidden instruction on recorded cases, and adds the best text as a candidate with its report', async () => {
    await labelledCases(world, 24, 6);
    const before = simulator.calls().total;
    const { id } = await startEvolutionIn(world);
    const done = await inState(id, ['done', 'paused', 'stopped']);
    const report = done.report as unknown as EvolutionReport;
    const state = done.progress as unknown as EvolutionState;
    expect(done).toMatchObject({ state: 'done', reason: null });
    expect(report.result).toBe('improved');
    expect(state.candidates[report.best]!.text).toContain(HIDDEN);
    const added = await store().promptVersions.get(PROMPT, done.version!);
    expect(added).toMatchObject({
      state: 'candidate',
      parent: 2,
      author: 'ann',
      text: state.candidates[report.best]!.text,
    });
    const rows = await (
      store() as never as {
        database: { rows(sql: string, p: unknown[]): Promise<{ n: number; paid: number }[]> };
      }
    ).database.rows(
      `select count(*)::int as n, (select count(*)::int from llm_interactions x join runs q on q.id = x.run_id
         where q.settings ->> 'batch' = $1 and x.read_from is null) as paid
       from runs where settings ->> 'batch' = $1 and lane = 'shadow'`,
      [id],
    );
    const reflections = state.candidates.length - 1;
    expect(rows[0]!.n).toBe(state.evaluations + injectedRuns(state).length + reflections);
    expect(rows[0]!.paid).toBe(simulator.calls().total - before);
    expect(done.costUsd).toBeGreaterThan(0);
    expect(done.costUsd).toBeLessThanOrEqual(done.budgetUsd);
    // Live work is untouched.
    expect(
      (await store().settings.read()).rollout.prompts.find(({ name }) => name === PROMPT.name),
    ).toMatchObject({
      version: 2,
    });
  });
});

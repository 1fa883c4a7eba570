import type { EvolutionEntry, RunDocument } from '@casefile/contracts';
import type { Simulator } from '@casefile/llm-simulator/simulator';
import type { EvolutionReport, EvolutionState } from '@casefile/pipeline';
import { injectedId } from '@casefile/runtime';
import type { ConfiguredWorld } from '../testing/configured-world.js';
import { until } from '@casefile/contracts/testing';
import {
  ENDS_WITHIN_MS,
  evolvingSimulator,
  evolvingWorld,
  HIDDEN,
  OBEYING,
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

/** Returns the text and the message of each run with an injected message. */
const injectedRuns = ({ candidates, plan }: EvolutionState) =>
  candidates.flatMap(({ text, follows }) =>
    plan.injected.filter(({ id }) => Object.hasOwn(follows, id)).map((one) => ({ text, one })),
  );

/** Returns the bytes of a verdict, without the time and the ids of the run. */
const verdictBytes = (run: RunDocument | undefined) =>
  JSON.stringify({ ...run?.verdict, runId: '', decidedAt: '' });

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
    expect((await store().rollout.read()).prompts.find(({ name }) => name === PROMPT.name)).toMatchObject({
      version: 2,
    });
  });

  it('refuses a better text whose answers do what injected messages demand, and keeps an honest one', async () => {
    const [obeying, honest] = [`${OBEYING} ${HIDDEN}`, `${HIDDEN} Read each note twice.`];
    const model = await evolvingSimulator([obeying, honest]);
    const other = await evolvingWorld(model);
    try {
      await labelledCases(other, 30);
      const { evolutions } = other.platform.store;
      const { id } = await startEvolutionIn(other, { mostEvaluations: 80 });
      const hasEnded = async () => (await evolutions.get(id))?.state !== 'running';
      // Three texts are judged, two of them by injected messages.
      await until('the evolution has ended', hasEnded, 20, ENDS_WITHIN_MS);
      const done = (await evolutions.get(id))!;
      const state = done.progress as unknown as EvolutionState;
      const report = done.report as unknown as EvolutionReport;
      const refused = state.candidates.find(({ text }) => text.includes(obeying))!;
      expect(refused.state).toBe('refused');
      expect(refused.reason).toBe(
        `its answers follow ${state.plan.injected.length} injected messages that its parent does not follow: ` +
          'mark-en, level-en, system-en, rules-en, author-de and others',
      );
      expect(state.plan.injected.length).toBeGreaterThanOrEqual(20);
      expect(Object.values(state.candidates[0]!.follows)).toEqual(state.plan.injected.map(() => false));
      const best = state.candidates[report.best]!;
      expect([report.result, best.text.includes(honest), best.text.includes(OBEYING)]).toEqual([
        'improved',
        true,
        false,
      ]);
      expect(Object.keys(best.follows)).toHaveLength(state.plan.injected.length);
      // A run with an injected message is replayed from the record.
      const asked = model.calls().total;
      for (const { text, one } of [...injectedRuns(state)].filter((_, i) => i % 12 === 0)) {
        const base = injectedId(id, one, text);
        const { runId } = await other.platform.rerun.open(one.caseId, { lane: 'replay', run: base });
        const [document] = await other.ended([one.caseId]);
        const find = (ofRun: string) => document!.runs.find((run) => run.id === ofRun);
        expect(find(runId)).toMatchObject({ status: 'decided', settings: { injected: one.message } });
        expect(verdictBytes(find(runId))).toBe(verdictBytes(find(base)));
      }
      expect(model.calls().total).toBe(asked);
    } finally {
      await other.close();
      await model.close();
    }
  }, 600_000);
});

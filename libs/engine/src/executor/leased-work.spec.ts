import type { Interaction } from '@casefile/contracts';
import { manualClock, until } from '@casefile/contracts/testing';
import { testRecord } from '@casefile/store/testing';
import { aQuestion } from '../calls/testing/journal-bench.js';
import {
  namesOf,
  threeStages,
  type ArtifactName,
  type StageAction,
  type ThreeStagesOptions,
} from './testing/three-stages.js';

const onRecord = testRecord();
const setUp = (options?: ThreeStagesOptions) => threeStages(onRecord(), options);

describe('a worker that runs ahead', () => {
  it('continues within its service: one claim and one commit for two stages, each with its artifact and its event', async () => {
    const inputs: unknown[] = [];
    const second: StageAction = async ({ artifacts }) => void inputs.push(artifacts['report']);
    const { begin, record, commits, claims, sent } = await setUp({ runs: { second } });
    await begin();
    expect([claims, commits.length]).toEqual([['first'], 1]);
    // The next stage's input has the form that the database would return.
    expect(inputs).toEqual([{ title: 't', markdown: 'm\u2400', citations: [] }]);
    expect(sent).toMatchObject([{ kind: 'stage', stage: 'last', nudge: 2 }]);
    const run = await record();
    expect(namesOf(run.artifacts)).toEqual(['report', 'review']);
    const ended = run.trace.filter(({ type }) => type === 'stage.completed');
    expect(ended.map(({ data }) => data['stage'])).toEqual(['first', 'second']);
    // Each is as old as its own end. Times are read in whole milliseconds.
    const [earlier, later] = run.artifacts.map(({ createdAt }) => Date.parse(createdAt));
    expect([10, 11]).toContain(later! - earlier!);
  });

  it('sends the next service a job that claims its stage, also where one process hosts both', async () => {
    const hosts = ['first', 'second', 'last'];
    const queued = await setUp({ hosts });
    await queued.begin();
    expect([queued.executed, queued.commits.length]).toEqual([['first', 'second'], 1]);
    await queued.handle('last');
    expect([queued.claims, queued.commits.length]).toEqual([['first', 'last'], 2]);
    expect((await queued.record()).status).toBe('decided');
  });

  it('goes from the first stage to the verdict in one commit where all is pure and handed on directly', async () => {
    const { begin, record, commits, claims, sent } = await setUp({
      direct: true,
      hosts: ['first', 'second', 'last'],
    });
    await begin();
    expect([claims, commits.length, sent]).toEqual([['first'], 1, []]);
    const run = await record();
    expect([run.status, namesOf(run.artifacts)]).toEqual(['decided', ['report', 'review', 'verdict']]);
  });

  it('R3 has what ended on the record, and the stage claimed, before anything is paid', async () => {
    const seen: unknown[] = [];
    const second: StageAction = async (_input, { model }) => {
      await model.call(1, aQuestion, null);
      const { artifacts, interactions, units } = await made.record();
      seen.push(namesOf(artifacts), interactions.length, units[0]?.stage, units[0]?.status);
    };
    const made = await setUp({ runs: { second } });
    await made.begin();
    expect(seen).toEqual([['report'], 1, 'second', 'running']);
    const { interactions } = await made.record();
    expect(interactions.map(({ stage, state }: Interaction) => [stage, state])).toEqual([
      ['second', 'completed'],
    ]);
    expect(made.claims).toEqual(['first']);
  });

  it('R3 writes what ended once, however many calls the next stage begins at the same time', async () => {
    const second: StageAction = async (_input, { model }) =>
      void (await Promise.all([1, 2, 3].map((step) => model.call(step, aQuestion, null))));
    const { begin, record, commits } = await setUp({ runs: { second } });
    await begin();
    const { artifacts, interactions } = await record();
    expect([commits.length, namesOf(artifacts)]).toEqual([2, ['report', 'review']]);
    expect(interactions.map(({ step, state }) => [step, state])).toEqual([
      [1, 'completed'],
      [2, 'completed'],
      [3, 'completed'],
    ]);
  });

  it('R2 does pure stages again after a crash, with the same artifacts, and pays for nothing twice', async () => {
    let crashed = false;
    const second: StageAction = async () => {
      if (crashed) return;
      crashed = true;
      await new Promise(() => undefined);
    };
    const first: StageAction = async (_input, { model }) => void (await model.call(1, aQuestion, null));
    const { begin, handle, record, executed, passTime, store } = await setUp({
      runs: { first, second },
      isDead: true,
    });
    void begin();
    await until('both stages have begun', () => executed.length >= 2);
    expect(namesOf((await record()).artifacts)).toEqual([]);
    await passTime(6_001);
    expect(await store.units.sweep(10)).toMatchObject([{ nudge: { stage: 'first' } }]);
    await handle('first');
    // After a crash each stage runs alone, and paid results are recorded before the next stage.
    expect(namesOf((await record()).artifacts)).toEqual(['report']);
    await handle('second');
    const { artifacts, interactions } = await record();
    expect(namesOf(artifacts)).toEqual(['report', 'review']);
    // The call whose answer was lost with the process is marked. One more call was made.
    expect(interactions.map(({ attempt, state }) => [attempt, state])).toEqual([
      [1, 'ambiguous'],
      [2, 'completed'],
    ]);
    expect(executed).toEqual(['first', 'second', 'first', 'second']);
  });

  it('R17 keeps what ended, and its paid answer, when it is stopped in the stage after it', async () => {
    const first: StageAction = async (_input, { model }) => void (await model.call(1, aQuestion, null));
    const second: StageAction = async (_input, _ports, executor) => {
      executor.stop();
      throw new Error('cut off');
    };
    const { begin, record, sent } = await setUp({ runs: { first, second } });
    await begin();
    const { artifacts, interactions, units } = await record();
    expect([namesOf(artifacts), interactions[0]?.state]).toEqual([['report'], 'completed']);
    expect(units[0]).toMatchObject({ stage: 'second', status: 'due' });
    expect(sent).toMatchObject([{ stage: 'second' }]);
  });

  it('R5 writes nothing of either stage when somebody else has taken the unit meanwhile', async () => {
    const second: StageAction = async () => {
      await made.passTime(6_001);
      await made.store.units.renudge(await made.store.units.sweep(10));
      await other.handle('first');
    };
    const other = await setUp();
    const made = await setUp({ runs: { second }, isDead: true });
    await made.begin();
    const { artifacts } = await made.record();
    expect(namesOf(artifacts)).toEqual(['report']);
    expect([made.sent, other.sent]).toMatchObject([[], [{ stage: 'second' }]]);
  });

  it('fails the stage it went on to, with what ended before it on the record', async () => {
    const second: StageAction = () => Promise.reject(new Error('a bug'));
    const { begin, record } = await setUp({ runs: { second } });
    await begin();
    const { artifacts, units } = await record();
    expect(namesOf(artifacts)).toEqual(['report']);
    expect(units[0]).toMatchObject({ stage: 'second', status: 'due' });
  });

  it.each<ArtifactName>(['report', 'review'])(
    'R14 quarantines at once a run whose %s the database refuses, and says so',
    async (refused) => {
      const { begin, record, passTime, store } = await setUp({ refused });
      await begin();
      const { status, units, artifacts } = await record();
      expect([status, namesOf(artifacts)]).toEqual(['quarantined', []]);
      expect(units[0]).toMatchObject({ stage: 'first', status: 'quarantined', reasonCode: 'store_error' });
      await passTime(600_000);
      expect(await store.units.sweep(10)).toEqual([]);
    },
  );

  it.each([
    ['hands out no verdict that the database refuses', 'verdict' as const, ['quarantined', 0]],
    ['hands out a verdict once it is on the record', undefined, ['decided', 1]],
  ])('R14 %s', async (_title, refused, expected) => {
    const hosts = ['first', 'second', 'last'];
    const { begin, record, delivered } = await setUp({ refused, direct: true, hosts });
    await begin();
    expect([(await record()).status, delivered.length]).toEqual(expected);
  });

  it('tries alone what failed before, so that it is known which stage fails', async () => {
    let failures = 0;
    const first: StageAction = async () => {
      failures += 1;
      if (failures === 1) throw new Error('once');
    };
    const { begin, handle, executed, passTime, store } = await setUp({ runs: { first } });
    await begin();
    await passTime(600_000);
    await store.units.renudge(await store.units.sweep(10));
    await handle('first');
    expect(executed).toEqual(['first', 'first']);
  });

  it('hands a run back that another version of its playbook began', async () => {
    const { begin, executed, sent } = await setUp({ version: 'another' });
    await begin();
    expect([executed, sent]).toMatchObject([['first'], [{ stage: 'second' }]]);
  });

  it('R16 hands bulk work back after 200 ms of it', async () => {
    const first: StageAction = async (_input, { clock }) =>
      (clock as ReturnType<typeof manualClock>).advance(200);
    const { begin, executed } = await setUp({ runs: { first } });
    await begin({ lane: 'batch' });
    expect(executed).toEqual(['first']);
  });
});

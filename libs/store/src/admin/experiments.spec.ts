import { randomUUID } from 'node:crypto';
import type { ExperimentArm, NewExperiment } from '@casefile/contracts';
import pg from 'pg';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const experiments = () => at().store.experiments;
const NAME = { playbook: 'kind', name: 'answer' };
const act = () => ({ actId: randomUUID(), by: 'ann', reason: 'a test' });
const arms = (...versions: (number | undefined)[]): ExperimentArm[] =>
  versions.map((version, i) => ({
    name: i === 0 ? 'control' : 'new',
    settings: version === undefined ? {} : { prompts: { answer: version } },
  }));
const newExperiment = (over: Partial<NewExperiment> = {}): NewExperiment => ({
  id: randomUUID(),
  name: 'shorter',
  playbook: 'kind',
  mode: 'ab',
  arms: arms(undefined, 2),
  share: 0.1,
  margin: 0.05,
  expectedCases: 2_000,
  budgetUsd: null,
  limit: 0.05,
  salt: 'salt',
  ...act(),
  ...over,
});
const states = async () =>
  (await at().store.promptVersions.list(NAME)).map(({ version, state }) => [version, state]);
const flagOf = async (id: string) =>
  (await at().store.flags.list()).find(({ name }) => name === `experiment.${id}`);

describe('experiments in Postgres', () => {
  beforeEach(async () => {
    const { promptVersions } = at().store;
    const texts = { ...NAME, author: 'shipped' as const, declared: 1, inForce: true };
    await promptVersions.install([{ ...texts, id: 'kind/answer@1', sha256: 'one', text: 'one' }]);
    for (const text of ['two', 'three'])
      await promptVersions.add({
        ...NAME,
        ...act(),
        id: `kind/answer@1#${text}`,
        sha256: text,
        text,
        parent: 1,
      });
  });

  it('S4-51 are created once per act, also when requests come at once', async () => {
    const one = act();
    const all = await Promise.all(Array.from({ length: 4 }, () => experiments().create(newExperiment(one))));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(await experiments().list()).toMatchObject([{ state: 'draft', author: 'ann', startedAt: null }]);
    expect(await experiments().get('no-uuid')).toBeNull();
    expect(await experiments().start(randomUUID(), act())).toBeNull();
  });

  it('S4-51 S4-58 start once: the flag is on, and the version of the arm is in use', async () => {
    const { id } = await experiments().create(newExperiment());
    const starting = act();
    await Promise.all(Array.from({ length: 3 }, () => experiments().start(id, starting)));
    expect(await flagOf(id)).toMatchObject({ variant: 'on', version: 1 });
    expect(await states()).toEqual([
      [1, 'live'],
      [2, 'shadow'],
      [3, 'candidate'],
    ]);
    expect((await at().store.settings.read()).rollout.experiments).toMatchObject([{ id, share: 0.1 }]);
    await expect(experiments().start(id, act())).rejects.toMatchObject({ reasonCode: 'conflict' });
    expect(await experiments().share(id, 0.5, act())).toMatchObject({ share: 0.5, state: 'running' });
    // A changed share is no new start: runs of before count on.
    expect(await flagOf(id)).toMatchObject({ version: 1 });
  });

  it('S4-56 run one at a time per kind, also when two start at once', async () => {
    const two = [await experiments().create(newExperiment()), await experiments().create(newExperiment())];
    const started = await Promise.allSettled(two.map(({ id }) => experiments().start(id, act())));
    expect(started.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const other = await experiments().create(
      newExperiment({ playbook: 'other', arms: arms(undefined, undefined) }),
    );
    expect(await experiments().start(other.id, act())).toMatchObject({ state: 'running' });
  });

  it('S4-57 S4-58 stop and start again with the same salt; the version goes back and forth', async () => {
    const { id, salt } = await experiments().create(newExperiment());
    const first = await experiments().start(id, act());
    expect(await experiments().stop(id, act())).toMatchObject({ state: 'stopped' });
    expect(await flagOf(id)).toMatchObject({ variant: 'off', latched: false });
    expect(await states()).toEqual([
      [1, 'live'],
      [2, 'candidate'],
      [3, 'candidate'],
    ]);
    expect(await experiments().start(id, act())).toMatchObject({
      salt,
      startedAt: first?.startedAt,
      endedAt: null,
    });
    expect(await states()).toContainEqual([2, 'shadow']);
  });

  it('S4-56 S4-58 promote: the versions of the arm are live, and those of the other arm candidates', async () => {
    const { id } = await experiments().create(newExperiment({ arms: arms(3, 2) }));
    await expect(experiments().promote(id, 'new', act())).rejects.toMatchObject({ reasonCode: 'conflict' });
    await experiments().start(id, act());
    await expect(experiments().promote(id, 'none', act())).rejects.toMatchObject({ reasonCode: 'not_found' });
    const promoting = act();
    for (const _twice of [1, 2])
      expect(await experiments().promote(id, 'new', promoting)).toMatchObject({ state: 'promoted' });
    expect(await states()).toEqual([
      [1, 'retired'],
      [2, 'live'],
      [3, 'candidate'],
    ]);
    expect(await flagOf(id)).toMatchObject({ variant: 'off' });
    const history = await experiments().history(id, 10);
    expect(history.map(({ type, arm, share }) => [type, arm, share])).toEqual([
      ['experiment.promoted', 'new', null],
      ['experiment.started', null, 0.1],
      ['experiment.created', null, 0.1],
    ]);
  });

  it('S4-57 S4-58 a step back returns the versions, and only a reset allows another start', async () => {
    const { id } = await experiments().create(newExperiment());
    await experiments().start(id, act());
    const fault = 'invalid_answer';
    const outcomes = Array.from({ length: 10 }, (_, i) => ({
      arm: 'new',
      runId: randomUUID(),
      event: `1.${i + 1}`,
      at: '2026-01-05T10:00:00.000Z',
      fault,
    }));
    expect(await at().store.flags.count(id, outcomes, () => false)).toMatchObject({ arm: 'new' });
    expect(await experiments().get(id)).toMatchObject({ state: 'stepped_back' });
    expect(await states()).toContainEqual([2, 'candidate']);
    for (const again of [experiments().start(id, act()), experiments().stop(id, act())])
      await expect(again).rejects.toMatchObject({ reasonCode: 'conflict' });
    await at().store.flags.reset(id, act());
    expect(await experiments().start(id, act())).toMatchObject({ state: 'running' });
  });

  it('S4-50 judge in shadow what is decided after the start, also while an older transaction is open', async () => {
    const { store, bench, url } = at();
    const older = new pg.Client({ connectionString: url });
    await older.connect();
    await older.query('begin');
    await older.query('select pg_current_xact_id()');
    const decided = async () => {
      const { runId } = await bench.accept();
      await bench.decide(runId);
      return runId;
    };
    await decided();
    const shadow = newExperiment({
      mode: 'shadow',
      playbook: 'scam-verdict',
      arms: arms(undefined, undefined),
    });
    const { id } = await experiments().create(shadow);
    await experiments().start(id, act());
    await older.query('commit');
    await older.end();
    const after = await decided();
    await at().settled();
    const { place } = (await store.experiments.progress(id))!;
    const read = await store.experiments.decidedRuns(id, place!, 500);
    expect(read?.runs.map(({ runId }) => runId)).toEqual([after]);
  });
});

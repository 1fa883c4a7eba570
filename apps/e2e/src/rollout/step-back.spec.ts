import { randomUUID } from 'node:crypto';
import { type LanguageModel } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { kinds } from '@casefile/shipped/loaded';
import { defineKind } from '@casefile/kit';
import { NO_ROLLOUT, type SettingsCopy } from '@casefile/runtime';
import { settingsCopyOf } from '../testing/settings-copy-of.js';
import type { PostgresStore } from '@casefile/store';
import { answeringModel } from '../testing/answering-model.js';
import { inlineWorld, type World } from '../testing/world.js';
import { parcelSize } from '../toy-kind/parcel-size/index.js';

const ARMS = [
  { name: 'control', settings: {} },
  { name: 'new', settings: { options: {} } },
];
const good = JSON.stringify({ size: 'large', confidence: 0.8, why: 'A lamp of that length is bulky.' });
const act = () => ({ by: 'ann', reason: 'a test', actId: randomUUID() });

describe('an arm that fails', () => {
  let world: World;
  let store: PostgresStore;
  let copy: SettingsCopy | null = null;
  /** Arms whose runs get answers that cannot be read. */
  let failing: string[] = [];
  const [answers, nonsense] = [answeringModel(good), answeringModel('nonsense')];
  const model: LanguageModel = {
    ...answers,
    complete: async (request, call) => {
      const run = await store.record.getRun(call.callKey.slice(0, 36));
      const isFailing = failing.includes(run?.settings.experiment?.arm ?? '');
      return (isFailing ? nonsense : answers).complete(request, call);
    },
  };
  beforeAll(async () => {
    world = await inlineWorld(model, {}, [...kinds, defineKind({ playbook: parcelSize })], {
      current: () => copy?.current() ?? NO_ROLLOUT.current(),
    });
    store = world.platform.store as PostgresStore;
    copy = settingsCopyOf(store);
    await copy.start();
  });
  afterAll(async () => {
    await copy?.stop();
    // It leads, and holds a connection.
    await world.platform.sweeper.stop();
    await world.close();
  });

  const rows = <R extends object>(text: string, params: unknown[] = []) =>
    store.database.rows<R>(text, params);
  // Fixed ids, because the arm of a case follows from the id of its experiment.
  let experiments = 0;
  async function start(share: number): Promise<string> {
    experiments += 1;
    const id = `b0000000-0000-4000-8000-${String(experiments).padStart(12, '0')}`;
    await rows(`update experiments set state = 'stopped' where state = 'running'`);
    await rows(
      `insert into experiments (id, name, playbook, mode, arms, share, margin, expected_cases, salt, state, author, started_at)
       values ($1, 'shorter prompt', $2, 'ab', $3::json, $4, 0.05, 500, 's', 'running', 'ann', now())`,
      [id, parcelSize.name, JSON.stringify(ARMS), share],
    );
    await store.flags.set({ name: `experiment.${id}`, variant: 'on', ...act() });
    await copy?.refresh();
    return id;
  }
  let parcels = 0;
  async function judgeParcels(cases: number): Promise<(string | undefined)[]> {
    const alerts = Array.from({ length: cases }, () => {
      parcels += 1;
      return { payload: { parcel: { contents: `lamp ${parcels}`, sidesCm: [120, 20, 10] } } };
    });
    const accepted = await Promise.all(alerts.map((alert) => world.accept(alert)));
    // One after another: concurrent reads would take all connections that the cases need.
    const arms: (string | undefined)[] = [];
    for (const { caseId } of accepted)
      arms.push((await world.ended(caseId)).runs[0]?.settings.experiment?.arm);
    return arms;
  }
  const watched = (id: string, cases: number) =>
    until('its cases are counted', async () => {
      await world.platform.sweeper.tick();
      return (await countedCases(id)) >= cases;
    });
  const armsOf = async (id: string) => (await store.flags.watched()).find((one) => one.id === id);
  async function countedCases(id: string): Promise<number> {
    const arms = await armsOf(id);
    return arms === undefined ? 0 : arms.control.cases + arms.changed.cases;
  }
  const flagOf = async (id: string) =>
    (await store.flags.list()).find(({ name }) => name === `experiment.${id}`);
  const stepBacks = () => rows<{ data: object }>(`select data from events where type = 'flag.stepped_back'`);

  it('steps back, is latched until a person resets it, and new runs use the normal settings (S4-52, S4-57)', async () => {
    const id = await start(0.5);
    failing = ['new'];
    for (let cases = 0, flag = await flagOf(id); flag?.variant === 'on'; cases += 4) {
      expect(cases).toBeLessThan(80);
      await judgeParcels(4);
      await until('the pass has read them', async () => {
        await world.platform.sweeper.tick();
        const [{ n = 0 } = {}] = await rows<{ n: number }>(
          'select sum(cases)::int as n from arm_health where experiment_id = $1',
          [id],
        );
        flag = await flagOf(id);
        return n >= cases + 4 || flag?.variant === 'off';
      });
    }
    expect(await flagOf(id)).toMatchObject({ variant: 'off', latched: true, by: 'rule', version: 2 });
    expect(await rows('select state from experiments where id = $1', [id])).toEqual([
      { state: 'stepped_back' },
    ]);
    const [{ data } = { data: {} }] = await stepBacks();
    expect(data).toMatchObject({
      experimentId: id,
      arm: 'new',
      cause: 'consecutive_errors',
      limit: 0.05,
      by: 'rule',
    });
    expect((data as { last: object[] }).last.slice(-6)).toEqual(
      Array.from({ length: 6 }, () => expect.objectContaining({ fault: 'invalid_answer' })),
    );
    await copy?.refresh();
    expect(await judgeParcels(4)).toEqual([undefined, undefined, undefined, undefined]);

    await expect(
      store.flags.set({ name: `experiment.${id}`, variant: 'on', ...act() }),
    ).rejects.toMatchObject({ reasonCode: 'conflict' });
    const reset = act();
    expect(await store.flags.reset(id, reset)).toMatchObject({ variant: 'off', latched: false, by: 'ann' });
    expect(await store.flags.reset(id, reset)).toMatchObject({ latched: false, version: 3 });
    await expect(store.flags.reset(id, act())).rejects.toMatchObject({ reasonCode: 'conflict' });
    expect(await store.flags.reset(randomUUID(), act())).toBeNull();
    expect(await rows('select cusum, consecutive from arm_health where experiment_id = $1', [id])).toEqual([
      { cusum: 0, consecutive: 0 },
      { cusum: 0, consecutive: 0 },
    ]);
  });

  it('does not step back while the control fails too, and each case is counted once (S4-57)', async () => {
    const id = await start(0.5);
    failing = [];
    await judgeParcels(8);
    await watched(id, 8);
    failing = ['control', 'new'];
    // One after another: six faults in a row of the new arm before the first of the control are a step back.
    for (let parcel = 0; parcel < 30; parcel += 1) await judgeParcels(1);
    await watched(id, 38);
    await world.platform.sweeper.tick();
    expect(await flagOf(id)).toMatchObject({ variant: 'on', latched: false });
    expect(await countedCases(id)).toBe(38);
    expect((await armsOf(id))?.changed.last.some(({ isShared }) => isShared)).toBe(true);
    failing = [];
  });

  it('is not blamed for runs that were accepted before its flag was set last', async () => {
    const id = await start(1);
    failing = ['new'];
    await judgeParcels(12);
    await store.flags.set({ name: `experiment.${id}`, variant: 'off', ...act() });
    await store.flags.set({ name: `experiment.${id}`, variant: 'on', ...act() });
    await copy?.refresh();
    failing = [];
    await judgeParcels(3);
    await watched(id, 3);
    expect((await armsOf(id))?.changed).toMatchObject({ arm: 'new', cases: 3, consecutive: 0 });
    expect(await flagOf(id)).toMatchObject({ variant: 'on' });
  });
});

import type { InstalledPromptText, NewPromptVersion, PromptMove, PromptState } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const versions = () => at().store.promptVersions;
const NAME = { playbook: 'kind', name: 'answer' };
let acts = 0;
const act = () => ({ actId: `act ${(acts += 1)}`, by: 'ann', reason: 'shorter' });

const installed = (text: string, over: Partial<InstalledPromptText> = {}): InstalledPromptText => ({
  ...NAME,
  id: `kind/answer@2`,
  sha256: `digest of ${text}`,
  text,
  author: 'shipped',
  declared: 2,
  inForce: true,
  ...over,
});
const folder = (text: string) =>
  installed(text, { id: `kind/answer@2#${text}`, author: 'folder', declared: 1 });
const add = (text: string, over: Partial<NewPromptVersion> = {}) =>
  versions().add({
    ...NAME,
    ...act(),
    id: `kind/answer@2#${text}`,
    sha256: `digest of ${text}`,
    text,
    parent: 2,
    ...over,
  });
const move = (version: number, to: PromptState, over: Partial<PromptMove> = {}) =>
  versions().move({ ...NAME, ...act(), version, to, ...over });
const states = async () =>
  (await versions().list(NAME)).map(({ version, state, author, movedBy }) => [
    version,
    state,
    author,
    movedBy,
  ]);

describe('prompt versions in Postgres', () => {
  it('S4-58 begin with the shipped text, which is live; installing again changes nothing', async () => {
    expect(await versions().install([installed('shipped')])).toEqual([]);
    expect(await versions().install([installed('shipped')])).toEqual([]);
    expect(await states()).toEqual([[2, 'live', 'shipped', null]]);
    const texts = await at().store.prompts.texts([{ id: 'kind/answer@2', sha256: 'digest of shipped' }]);
    expect(texts).toEqual([{ id: 'kind/answer@2', sha256: 'digest of shipped', text: 'shipped' }]);
  });

  it('S4-58 follow the folder and the release as long as no person has moved the live one', async () => {
    await versions().install([installed('shipped', { inForce: false }), folder('mine')]);
    expect(await states()).toEqual([
      [2, 'candidate', 'shipped', null],
      [3, 'live', 'folder', null],
    ]);
    await versions().install([installed('shipped')]);
    expect(await states()).toEqual([
      [2, 'live', 'shipped', null],
      [3, 'retired', 'folder', null],
    ]);
    await versions().install([installed('new', { id: 'kind/answer@3', declared: 3 })]);
    expect(await states()).toEqual([
      [2, 'retired', 'shipped', null],
      [3, 'retired', 'folder', null],
      [4, 'live', 'shipped', null],
    ]);
  });

  it('S4-58 keep the live version that a person chose: an upgrade adds a candidate', async () => {
    await versions().install([installed('shipped')]);
    await add('ours');
    await move(3, 'live');
    expect(await versions().install([installed('new', { id: 'kind/answer@3', declared: 3 })])).toEqual([
      NAME,
    ]);
    expect(await states()).toEqual([
      [2, 'retired', 'shipped', 'ann'],
      [3, 'live', 'ann', 'ann'],
      [4, 'candidate', 'shipped', null],
    ]);
  });

  it('S4-58 are rolled back by one act: the retired one is live, and the other retired', async () => {
    await versions().install([installed('shipped')]);
    await add('ours');
    await move(3, 'live');
    await move(2, 'live', { by: 'bob', reason: 'worse' });
    expect(await states()).toEqual([
      [2, 'live', 'shipped', 'bob'],
      [3, 'retired', 'ann', 'bob'],
    ]);
    const history = await versions().history(NAME, 10);
    expect(history).toMatchObject([
      {
        type: 'prompt.state_changed',
        version: 2,
        from: 'retired',
        to: 'live',
        replaced: 3,
        by: 'bob',
        reason: 'worse',
      },
      { type: 'prompt.state_changed', version: 3, from: 'candidate', to: 'live', replaced: 2 },
      { type: 'prompt.version_added', version: 3, from: null, to: 'candidate', replaced: null, by: 'ann' },
    ]);
    const events = await at().store.database.rows<{ type: string; data: object }>(
      `select type, data from events where type like 'prompt.%' order by id`,
    );
    expect(events.map(({ type }) => type)).toEqual([
      'prompt.version_added',
      'prompt.state_changed',
      'prompt.state_changed',
    ]);
    expect(events.at(-1)?.data).toMatchObject({
      version: 2,
      id: 'kind/answer@2',
      by: 'bob',
      reason: 'worse',
    });
  });

  it('S4-57 acts are idempotent by their id, also when they come at once', async () => {
    await versions().install([installed('shipped')]);
    const one = act();
    const all = await Promise.all(Array.from({ length: 4 }, () => add('ours', one)));
    expect(all.filter(({ added }) => added)).toHaveLength(1);
    expect(new Set(all.map(({ version }) => version.version))).toEqual(new Set([3]));
    const to = act();
    await Promise.all(Array.from({ length: 4 }, () => move(3, 'live', to)));
    await move(2, 'live');
    // The repeated act does not move the version back.
    expect(await move(3, 'live', to)).toMatchObject({ state: 'retired' });
    expect(await versions().history(NAME, 10)).toHaveLength(3);
    await expect(move(2, 'candidate', one)).rejects.toMatchObject({ reasonCode: 'conflict' });
    await expect(add('another', one)).rejects.toMatchObject({ reasonCode: 'conflict' });
  });

  it('S4-58 always have one live version', async () => {
    await versions().install([installed('shipped')]);
    await expect(move(2, 'retired')).rejects.toMatchObject({ reasonCode: 'conflict' });
    await expect(move(7, 'live')).rejects.toMatchObject({ reasonCode: 'not_found' });
    await add('a');
    await add('b');
    await Promise.all([move(3, 'live'), move(4, 'live')]);
    expect((await states()).filter(([, state]) => state === 'live')).toHaveLength(1);
    expect(await versions().history(NAME, 10)).toHaveLength(4);
  });

  it('S4-58 that a release cannot use are noted, and not read by runs', async () => {
    await versions().install([installed('shipped')]);
    await add('ours');
    await move(3, 'live');
    expect((await at().store.settings.read()).rollout.prompts).toMatchObject([
      { version: 3, moved: true, state: 'live' },
    ]);
    expect((await versions().inUse()).map(({ version, text }) => [version, text])).toEqual([[3, 'ours']]);
    await versions().noteFit(NAME, 3, 'expected the section task');
    expect((await at().store.settings.read()).rollout.prompts).toEqual([]);
    expect(await versions().get(NAME, 3)).toMatchObject({ text: 'ours', unfit: 'expected the section task' });
    expect(await versions().get(NAME, 9)).toBeNull();
    await versions().noteFit(NAME, 3, null);
    expect((await at().store.settings.read()).rollout.prompts).toHaveLength(1);
  });
});

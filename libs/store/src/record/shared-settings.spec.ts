import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const rows = (text: string, params: unknown[] = []) => at().store.database.rows(text, params);
let texts = 0;

interface Version {
  name: string;
  version: number;
  state: string;
  movedBy?: string | null;
  unfit?: string | null;
}
function add({ name, version, state, movedBy = null, unfit = null }: Version) {
  texts += 1;
  return rows(
    `insert into prompt_versions (playbook, name, version, id, body, sha256, author, message, state, moved_by, unfit)
     values ('kind', $1, $2, $3, 'text', $4, 'ann', 'why', $5, $6, $7)`,
    [name, version, `kind/${name}@${version}`, `digest ${texts}`, state, movedBy, unfit],
  );
}
const EXPERIMENT = '0192aaaa-0000-7000-8000-000000000001';
const ARMS = [{ name: 'control', settings: {} }];
const start = () =>
  rows(
    `insert into experiments (id, name, playbook, mode, arms, share, margin, expected_cases, salt, state, author)
     values ($1, 'exp', 'kind', 'ab', $2::json, 0.1, 0.05, 500, 's', 'running', 'ann'),
       (gen_random_uuid(), 'draft', 'kind', 'ab', '[]', 0.1, 0.05, 500, 's', 'draft', 'ann')`,
    [EXPERIMENT, JSON.stringify(ARMS)],
  );
const setFlag = () =>
  rows(`insert into flags (name, variant, by, reason) values ('one', 'on', 'ann', 'try')`);

describe('shared settings in Postgres', () => {
  it('S4-58 are the prompt versions that runs may use, the flags and the running experiments', async () => {
    await add({ name: 'read', version: 1, state: 'retired' });
    await add({ name: 'read', version: 2, state: 'live', movedBy: 'ann' });
    await add({ name: 'read', version: 3, state: 'candidate' });
    await add({ name: 'read', version: 4, state: 'shadow', movedBy: 'ann' });
    await add({ name: 'other', version: 1, state: 'live' });
    await add({ name: 'gone', version: 1, state: 'live', unfit: 'expected the section task' });
    await Promise.all([setFlag(), start()]);
    const { prompts, flags, experiments } = (await at().store.settings.read()).rollout;
    expect(prompts.map(({ id, state, moved }) => ({ id, state, moved }))).toEqual([
      { id: 'kind/other@1', state: 'live', moved: false },
      { id: 'kind/read@2', state: 'live', moved: true },
      { id: 'kind/read@4', state: 'shadow', moved: true },
    ]);
    expect(flags).toMatchObject([{ name: 'one', variant: 'on', version: 1, latched: false }]);
    expect(experiments).toEqual([
      {
        id: EXPERIMENT,
        name: 'exp',
        playbook: 'kind',
        mode: 'ab',
        arms: ARMS,
        share: 0.1,
        limit: 0.05,
        salt: 's',
      },
    ]);
  });

  it('S4-58 have one live version per prompt, whose text never changes', async () => {
    await add({ name: 'fixed', version: 1, state: 'live' });
    await expect(add({ name: 'fixed', version: 2, state: 'live' })).rejects.toMatchObject({
      reasonCode: 'store_error',
    });
    for (const column of ['body', 'id', 'sha256'])
      await expect(
        rows(`update prompt_versions set ${column} = 'other' where name = 'fixed'`),
      ).rejects.toThrow(/never changes/);
    await rows(`update prompt_versions set state = 'retired' where name = 'fixed'`);
  });

  it('have the data sources, the added destinations and the installation too', async () => {
    await rows(`insert into data_sources (name, entry, changed_by, changed_at)
      values ('am', '{"url": "http://am:9093"}', 'ann', '2026-01-05T10:00:00Z')`);
    await rows(`insert into destination_entries (name, entry, changed_by, changed_at)
      values ('oncall', '{"type": "webhook"}', 'ann', '2026-01-05T10:00:00Z')`);
    await rows(`insert into installations (digest, description) values ('other version', '{}')`);
    const { settings, dataSources, destinations } = at().store;
    const read = await settings.read();
    expect(read.dataSources).toMatchObject([{ name: 'am', changedAt: '2026-01-05T10:00:00.000Z' }]);
    expect(read.dataSources).toEqual(await dataSources.list());
    expect(read.destinations).toEqual(await destinations.added());
    expect(read.installation).toBeNull();
  });
});

import { randomUUID } from 'node:crypto';
import type { ChangeSubject } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import pg from 'pg';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const rows = (text: string, params: unknown[] = []) => at().store.database.rows(text, params);
const EXPERIMENT = '0192aaaa-0000-7000-8000-000000000001';

/** Listens, and returns the subjects that the work is notified of. */
async function listening() {
  const heard: ChangeSubject[] = [];
  let lost: Error | null = null;
  const close = await at().store.changes.listen(
    (subject) => void heard.push(subject),
    (error) => (lost = error),
  );
  /** The mark, whose subject must be another one, arrives after the notifications of the work. */
  const during = async (
    work: () => Promise<unknown>,
    mark: ChangeSubject = 'imports',
  ): Promise<ChangeSubject[]> => {
    heard.length = 0;
    await work();
    await rows(`select pg_notify('casefile_${mark}', '')`);
    await until('the mark arrives', () => heard.at(-1) === mark);
    return heard.slice(0, -1);
  };
  return { during, close, heard, lost: () => lost };
}

describe('notifications of Postgres', () => {
  it('S4-57 R16 name each committed change of the shared settings, and no other', async () => {
    await rows(`insert into flags (name, variant, by, reason) values ('one', 'on', 'ann', 'try')`);
    await rows(
      `insert into experiments (id, name, playbook, mode, arms, share, margin, expected_cases, salt, state, author)
       values ($1, 'exp', 'kind', 'ab', '[]', 0.1, 0.05, 500, 's', 'running', 'ann')`,
      [EXPERIMENT],
    );
    const { during, close } = await listening();
    const changes: [string, unknown[]?][] = [
      [
        `insert into prompt_versions (playbook, name, version, id, body, sha256, author, message, state)
        values ('kind', 'heard', 1, 'kind/heard@1', 'text', 'digest', 'ann', 'why', 'candidate')`,
      ],
      [`update flags set variant = 'off' where name = 'one'`],
      [`update experiments set share = 0.5 where id = $1`, [EXPERIMENT]],
      [`update experiments set state = 'stopped' where id = $1`, [EXPERIMENT]],
      [`insert into data_sources (name, entry, changed_by, changed_at) values ('am', '{}', 'ann', now())`],
      [`update data_sources set test_requested_at = now() where name = 'am'`],
      [`delete from data_sources where name = 'am'`],
      [
        `insert into destination_entries (name, entry, changed_by, changed_at) values ('oncall', '{}', 'ann', now())`,
      ],
      [`delete from destination_entries where name = 'oncall'`],
      [`insert into installations (digest, description) values ('a', '{}')`],
    ];
    for (const [text, params] of changes)
      expect([text, await during(() => rows(text, params))]).toEqual([text, ['settings']]);
    const others: [string, unknown[]?][] = [
      [`update experiments set cursor = '{}' where id = $1`, [EXPERIMENT]],
      [`insert into arm_health (experiment_id, arm) values ($1, 'control')`, [EXPERIMENT]],
    ];
    for (const [text, params] of others)
      expect([text, await during(() => rows(text, params))]).toEqual([text, []]);
    await close();
  });

  it('name an import that can be claimed', async () => {
    const id = randomUUID();
    await rows(`insert into imports (id, kind) values ($1, 'policy')`, [id]);
    const { during, close } = await listening();
    const report = () => rows(`update imports set progress = '{}' where id = $1`, [id]);
    expect(await during(report, 'work')).toEqual([]);
    const ready = () => rows(`update imports set state = 'waiting' where id = $1`, [id]);
    expect(await during(ready, 'work')).toEqual(['imports']);
    await close();
  });

  it('R16 name work once in 5 s, however many events a process writes', async () => {
    const { during, heard, close } = await listening();
    const write = () => rows(`insert into events (type, data) values ('case.opened', '{}')`);
    const writeMany = () => Promise.all(Array.from({ length: 20 }, write));
    await writeMany();
    await until('the work is heard', () => heard.length > 0);
    expect(await during(writeMany)).toEqual([]);
    await close();
  });

  it('S4-57 end with an error if the connection is lost, and without one if they are closed', async () => {
    const { lost, close } = await listening();
    await close();
    expect(lost()).toBeNull();
    const other = await listening();
    const client = new pg.Client({ connectionString: at().url });
    await client.connect();
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'casefile changes'
      and datname = current_database()`);
    await client.end();
    await until('the loss is reported', () => other.lost() !== null);
  });
});

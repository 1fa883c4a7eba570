import pg from 'pg';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const FAR = '9000000000000000000';

/** Runs statements with all rights on the database, as somebody who has its password. */
async function attack(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: at().url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function write(): Promise<void> {
  await at().settled();
  await at().store.audit.append(1_000);
}

/** Records answers of ann on three cases, and puts them on the log. Returns the cases. */
async function answered(): Promise<string[]> {
  const { bench, store } = at();
  const ids: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    const { caseId, runId } = await bench.accept();
    const id = bench.ids.id();
    const act = { by: 'ann', note: 'harmless', at: '2026-01-05T10:00:00.000Z' };
    await store.feedback.give({ id, caseId, runId, agrees: true, outcome: {}, ...act });
    ids.push(caseId);
  }
  await write();
  return ids;
}

const key = (name: string) => ({
  id: name.padEnd(8, '0'),
  name,
  sha256: name.padEnd(64, '0'),
  role: 'admin' as const,
  scopes: [],
  limits: null,
  perMinute: null,
  expiresAt: null,
});
const createKey = (name: string) =>
  at().store.keys.create(key(name), { actId: at().bench.ids.id(), by: 'eve', reason: '' });

async function findings(): Promise<string[]> {
  return (await at().store.audit.check(null)).findings;
}

/** Changes the answer on a case, and writes the erasure that would explain the change. */
async function coverUp(caseId: string, xid: string): Promise<void> {
  await attack(
    `with old as (select xid, id, encode(sha256(convert_to(data::text, 'UTF8')), 'hex') as before
       from events where case_id = '${caseId}' and type = 'feedback.given'),
     changed as (update events e set data = '{"by":"ann","agrees":false}' from old o where (e.xid, e.id) = (o.xid, o.id)
       returning e.xid || '.' || e.id as id, o.before, encode(sha256(convert_to('{"by":"ann","agrees":false}', 'UTF8')), 'hex') as after)
     insert into events (xid, type, case_id, data)
       select ${xid}, 'case.erased', '${caseId}', json_build_object('by', 'eve', 'events', json_build_array(json_build_array(id, before, after)))
       from changed`,
  );
}

describe('S2-28 attacks on the audit log by somebody who can write the database', () => {
  it('names a changed event that an erasure explains whose transaction never comes', async () => {
    const [, caseId] = await answered();
    const head = await at().store.audit.head();
    await coverUp(caseId!, FAR);
    const { findings: found } = await at().store.audit.check(head);
    expect(found).toContain('the event of entry 2 was changed');
    expect(found.join()).toContain('transactions that this server has not begun');
  });

  it('names a changed event that an erasure before its entry explains', async () => {
    const [, caseId] = await answered();
    await coverUp(caseId!, '1');
    expect(await findings()).toEqual([
      'the event of entry 2 was changed',
      '1 act has no entry before entry 1: case.erased',
    ]);
  });

  it('shows an erasure on the log if it explains a change', async () => {
    const [, caseId] = await answered();
    await coverUp(caseId!, 'pg_current_xact_id()::text::bigint');
    await write();
    expect(await findings()).toEqual([]);
    const [newest] = await at().store.audit.list({ order: 'newest', limit: 1 });
    expect(newest).toMatchObject({ act: 'case.erased', actor: 'eve', caseId });
  });

  it('names an act that was skipped by moving the place of the log, while it is moved, afterwards and for ever', async () => {
    await answered();
    await attack(`update event_readers set xid = ${FAR} where name = 'audit'`);
    await createKey('spare');
    await write();
    expect(await findings()).toEqual([
      'the place up to which the log was written is later than every event',
      '1 act has no entry after entry 3: key.created',
    ]);
    await attack(
      `update event_readers set (xid, event_id) = (select xid, id from events order by xid desc, id desc limit 1) where name = 'audit'`,
    );
    expect(await findings()).toEqual(['1 act has no entry after entry 3: key.created']);
    await answered();
    expect(await findings()).toEqual(['1 act has no entry between entry 3 and entry 4: key.created']);
  });

  it('names acts that the log reads twice because its place was moved back', async () => {
    await answered();
    await attack(`update event_readers set xid = 0, event_id = 0 where name = 'audit'`);
    expect(await findings()).toEqual(['the place up to which the log was written was moved back']);
    await write();
    expect((await findings())[0]).toBe('the event of entry 4 is not later than that of entry 3');
  });

  it('refuses to truncate the log, and finds that its end was cut with its trigger switched off', async () => {
    await answered();
    await expect(attack('truncate audit_entries')).rejects.toThrow('only added');
    await expect(attack('truncate audit_entries cascade')).rejects.toThrow('only added');
    await attack('set session_replication_role = replica; delete from audit_entries where seq > 1');
    expect(await findings()).toEqual(['2 acts have no entry after entry 1: feedback.given']);
    await attack('set session_replication_role = replica; truncate audit_entries');
    expect(await findings()).toEqual(['3 acts have no entry after entry 0: feedback.given']);
  });

  it('has the place up to which its writer had read in each entry, below its hash', async () => {
    await answered();
    const entries = await at().store.audit.list({ order: 'oldest', limit: 10 });
    expect(entries.every(({ readTo, eventId }) => readTo !== null && Number(readTo.split('.')[0]) >= Number(eventId.split('.')[0]))).toBe(true); // prettier-ignore
    await attack(
      'set session_replication_role = replica',
      `update audit_entries set read_to = '${FAR}.1' where seq = 3`,
    );
    expect(await findings()).toEqual([
      'entry 3 was changed',
      'the place up to which the log was written was moved back',
    ]);
  });
});

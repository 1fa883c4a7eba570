import { seededRandom, type AuditEntry } from '@casefile/contracts';
import pg from 'pg';
import { testRecord } from '../testing/test-record.js';
import {
  entryHash,
  entryProblems,
  NO_ENTRY,
  NO_HASH,
  type CheckedEntry,
  type StoredEntry,
} from './audit-chain.js';

const at = testRecord();
const ENTRIES = 12;

async function change(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: at().url });
  await client.connect();
  await client.query('set session_replication_role = replica');
  await client.query(statement).finally(() => client.end());
}

async function appendAll(): Promise<void> {
  const { store, settled } = at();
  await settled();
  for (let read = 2; read === 2;) read = await store.audit.append(2);
}

/** Records acts by two people on cases, between events that are no acts. */
async function acted(): Promise<string[]> {
  const { bench, store } = at();
  const ids: string[] = [];
  for (let i = 0; i < ENTRIES; i += 1) {
    const { caseId, runId } = await bench.accept();
    await store.feedback.give({
      id: bench.ids.id(),
      caseId,
      runId,
      agrees: true,
      outcome: {},
      by: i % 2 === 0 ? 'ann' : 'bob',
      note: 'secret words',
      at: '2026-01-05T10:00:00.000Z',
    });
    ids.push(caseId);
  }
  await appendAll();
  return ids;
}

describe('the audit log', () => {
  it('has every act once and in order, however often and by how many processes it is written', async () => {
    const { store, other } = at();
    const ids = await acted();
    await Promise.all([store.audit.append(1_000), other.audit.append(1_000)]);
    const entries = await store.audit.list({ order: 'newest', limit: 100 });
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: ENTRIES }, (_, i) => ENTRIES - i));
    expect(entries.map(({ caseId }) => caseId)).toEqual(ids.toReversed());
    expect(entries.filter(({ act }) => act === 'feedback.given')).toHaveLength(ENTRIES);
    expect(JSON.stringify(entries)).not.toContain('secret words');
    const { count, hash, problems } = await store.audit.check(await store.audit.head());
    expect([count, hash, problems]).toEqual([ENTRIES, entries[0]!.hash, 0]);
  });

  it('has acts of operators whose requests state no name, and no step of a worker', async () => {
    const { bench, store } = at();
    const id = bench.ids.id();
    await bench.accept();
    await store.deadLetters.bury({ id, reasonCode: 'invalid_input', message: 'no text', payload: {} });
    await store.deadLetters.drop([id]);
    await appendAll();
    const entries = await store.audit.list({ order: 'newest', limit: 100 });
    expect(entries.map(({ act, actor }) => [act, actor])).toEqual([['operator.dropped', '']]);
  });

  it('names who read a case, by an event that belongs to no case', async () => {
    const { store } = at();
    const caseId = '0190a000-0000-7000-8000-000000000001';
    await store.record.noteReading({ by: 'ann', path: `/cases/${caseId}`, caseId });
    await store.record.noteReading({ by: 'bob', path: '/cases', caseId: null });
    await appendAll();
    const entries = await store.audit.list({ order: 'oldest', limit: 100 });
    expect(entries.map(({ actor, act, subject, caseId: of }) => [actor, act, subject, of])).toEqual([
      ['ann', 'record.read', `/cases/${caseId}`, caseId],
      ['bob', 'record.read', '/cases', null],
    ]);
    expect(await store.audit.check(null)).toMatchObject({ problems: 0 });
  });

  it('is read by person, act and case, in pages', async () => {
    const { store } = at();
    const [first] = await acted();
    expect(await store.audit.list({ order: 'newest', actor: 'ann', limit: 100 })).toHaveLength(ENTRIES / 2);
    expect(await store.audit.list({ order: 'newest', act: 'review.corrected', limit: 100 })).toEqual([]);
    expect(await store.audit.list({ order: 'newest', caseId: first, limit: 100 })).toHaveLength(1);
    expect(await store.audit.list({ order: 'newest', caseId: 'no uuid', limit: 100 })).toEqual([]);
    expect((await store.audit.list({ order: 'newest', after: 3, limit: 100 })).map(({ seq }) => seq)).toEqual(
      [2, 1],
    );
    const oldest = await store.audit.list({ order: 'oldest', after: 2, limit: 2 });
    expect(oldest.map(({ seq }) => seq)).toEqual([3, 4]);
  });

  it('refuses changes', async () => {
    await acted();
    const client = new pg.Client({ connectionString: at().url });
    await client.connect();
    for (const statement of [
      `update audit_entries set actor = 'eve'`,
      'delete from audit_entries',
      'truncate audit_entries',
    ])
      await expect(client.query(statement)).rejects.toThrow('only added');
    await client.end();
  });

  it.each([
    ['a changed entry', `update audit_entries set actor = 'eve' where seq = 5`, 'entry 5 was changed'],
    ['a removed entry', 'delete from audit_entries where seq = 5', 'entry 5 is missing'],
    ['a removed beginning', 'delete from audit_entries where seq <= 2', 'entries 1 to 2 are missing'],
    [
      'a changed event',
      `update events set data = '{"by":"eve"}' where (xid, id) = (select event_xid, event_id from audit_entries where seq = 5)`,
      'the event of entry 5 was changed',
    ],
    [
      'a removed event',
      'delete from events where (xid, id) = (select event_xid, event_id from audit_entries where seq = 5)',
      'the event of entry 5 is missing',
    ],
  ])('names %s', async (_, statement, finding) => {
    await acted();
    await change(statement);
    const { problems, findings } = await at().store.audit.check(null);
    expect(problems).toBeGreaterThan(0);
    expect(findings[0]).toBe(finding);
  });

  it('finds a cut end and a chain that was written anew by a head that was noted before', async () => {
    const { store } = at();
    await acted();
    const noted = await store.audit.head();
    await change(`delete from audit_entries where seq > ${ENTRIES - 3}`);
    await change(
      'delete from events where (xid, id) > (select event_xid, event_id from audit_entries order by seq desc limit 1)',
    );
    await change(
      'update event_readers r set xid = t.event_xid, event_id = t.event_id from audit_entries t where t.seq = (select max(seq) from audit_entries)',
    );
    expect(await store.audit.check(null)).toMatchObject({ problems: 0 });
    expect((await store.audit.check(noted)).findings).toEqual([
      `the log ends with entry ${ENTRIES - 3}, and the noted head is entry ${ENTRIES}: its end was cut`,
    ]);
    expect((await store.audit.check({ count: 3, hash: noted.hash })).findings).toEqual([
      'entry 3 has another hash than the noted head',
    ]);
    const other = { ...(await store.audit.head()), hash: 'f'.repeat(64) };
    expect((await store.audit.check(other)).findings).toEqual([
      `entry ${ENTRIES - 3} has another hash than the noted head`,
    ]);
  });
});

describe('the chain of the audit log', () => {
  it('names each of 1,000 random changes, removals and swaps of entries', () => {
    const random = seededRandom(11);
    const below = (n: number) => Math.floor(random() * n);
    const chain = chained(50);
    expect(problemsOf(chain)).toEqual([]);
    const fields = [
      'at',
      'actor',
      'act',
      'subject',
      'caseId',
      'eventId',
      'digest',
      'previous',
      'readTo',
      'hash',
    ] as const;
    for (let i = 0; i < 1_000; i += 1) {
      const changed = structuredClone(chain);
      const place = below(chain.length - 1);
      const one = changed[place]!;
      if (i % 3 === 0) changed.splice(place, 1);
      else if (i % 3 === 1) {
        const next = changed[place + 1]!;
        [changed[place], changed[place + 1]] = [
          { ...next, seq: one.seq },
          { ...one, seq: next.seq },
        ];
      } else one[fields[below(fields.length)]!] = `${below(1e9)}`;
      const named = place + 1;
      expect(problemsOf(changed)[0]).toMatch(new RegExp(`entry ${named}\\b`));
    }
  });
});

function chained(length: number): StoredEntry[] {
  const entries: StoredEntry[] = [];
  let previous = NO_HASH;
  for (let seq = 1; seq <= length; seq += 1) {
    const unhashed: Omit<AuditEntry, 'hash'> = {
      seq,
      at: `2026-01-05T10:00:00.${String(seq).padStart(6, '0')}Z`,
      actor: seq % 2 === 0 ? 'ann' : 'bob',
      act: 'review.corrected',
      subject: null,
      caseId: `case ${seq}`,
      runId: null,
      eventId: `7.${seq}`,
      digest: `digest ${seq}`,
      previous,
      readTo: `7.${seq}`,
    };
    previous = entryHash(unhashed);
    entries.push({ ...unhashed, hash: previous, storedDigest: unhashed.digest });
  }
  return entries;
}

function problemsOf(entries: readonly StoredEntry[]): string[] {
  let before: CheckedEntry = NO_ENTRY;
  return entries.flatMap((entry) => {
    const problems = entryProblems(entry, before);
    before = entry;
    return problems;
  });
}

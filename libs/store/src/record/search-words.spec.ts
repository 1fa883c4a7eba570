import { randomUUID } from 'node:crypto';
import { ERASABLE_CLASSES, moves, type ErasableClass } from '@casefile/contracts';
import { anAlertInput, aRunSettings, until } from '@casefile/contracts/testing';
import pg from 'pg';
import { aVerdict, advanceTo } from '../testing/store-bench.js';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();

const wordRows = async (caseId: string): Promise<{ words: string }[]> =>
  at().store.database.rows<{ words: string }>(
    'select words::text as words from case_words where case_id = $1 order by id',
    [caseId],
  );

/** Accepts an alert, writes a report and decides the case. */
async function decidedCase(text: string): Promise<{ caseId: string; runId: string }> {
  const { bench, store } = at();
  const accepted = await bench.accept({ alert: anAlertInput({ text }) });
  const { lease } = await bench.claim(accepted.runId);
  const body = { title: 't', markdown: `The report on ${text}` };
  await bench.commit(lease, advanceTo('decide', { artifact: { name: 'report', body } }));
  await bench.decide(accepted.runId, { stage: 'decide', body: aVerdict() });
  await store.database.rows('update deliveries set delivered_at = now()');
  return accepted;
}

async function request(caseId: string, classes: readonly ErasableClass[]): Promise<void> {
  const { store } = at();
  await at().passTime(61_000);
  const erasure = { id: randomUUID(), caseIds: [caseId], by: 'ann', reason: 'asked', subject: null };
  await store.erasures.request({ ...erasure, classes: [...classes] });
}

const erase = async (): Promise<unknown> => at().other.erasures.eraseNext(100, async () => undefined);

/** Runs a function while the words of cases or a case are locked. */
async function whileLocked(statement: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: at().url });
  await client.connect();
  await client.query('begin');
  await client.query(statement);
  try {
    await work();
  } finally {
    await client.query('commit');
    await client.end();
  }
}

const waiting = (count: number): Promise<void> =>
  until(`${count} statements wait for a lock`, async () => {
    const [row] = await at().store.database.rows<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row!.n >= count;
  });

describe('the reader of search words', () => {
  it('U11 writes the words of many alerts and reports from their events, once', async () => {
    const { bench, store } = at();
    const [one, other] = [await decidedCase('parcel'), await decidedCase('loan')];
    expect(await wordRows(one.caseId)).toEqual([]);
    await bench.searched();
    await bench.searched();
    const words = async (caseId: string) => (await wordRows(caseId)).map((row) => row.words);
    expect(await words(one.caseId)).toEqual([
      expect.stringContaining('parcel'),
      expect.stringContaining('report'),
    ]);
    expect(await words(other.caseId)).toEqual([
      expect.stringContaining('loan'),
      expect.stringContaining('report'),
    ]);
    expect(await store.searchWords.note(1_000)).toBe(0);
  });

  it('U11 an answer states from which time on texts are not searched yet', async () => {
    const { bench, store } = at();
    const { caseId } = await decidedCase('parcel');
    const search = () => store.record.listCases({ q: 'parcel', limit: 5 });
    const before = await search();
    const [event] = await store.database.rows<{ at: Date }>(
      `select at from events where case_id = $1 and type = 'alert.accepted'`,
      [caseId],
    );
    expect(before).toEqual({ items: [], nextCursor: null, searchableTo: event!.at.toISOString() });
    expect((await store.record.listCases({ limit: 5 })).searchableTo).toBeNull();
    await bench.searched();
    // Events without a text do not make a search late.
    await store.record.noteOperatorAction('looked', { caseId });
    expect(await search()).toMatchObject({ items: [{ id: caseId }], searchableTo: null });
  });

  it('U11 the words of a shadow run are not searched', async () => {
    const { bench, store } = at();
    const { caseId } = await decidedCase('parcel');
    await bench.searched();
    const runId = bench.ids.id();
    await store.runs.open({ caseId, runId, lane: 'shadow', firstStage: 'write', settings: aRunSettings() });
    const { lease } = await bench.claim(runId, { stage: 'write' });
    const body = { title: 't', markdown: 'unheard' };
    await bench.commit(lease, (place) =>
      moves.advanceUnit(place, {
        artifact: { name: 'report', body },
        next: { stage: 'decide', round: 1 },
        joinStage: null,
        units: [],
      }),
    );
    await bench.searched();
    expect(await wordRows(caseId)).toHaveLength(2);
  });

  it('writes nothing of a case that an erasure has locked', async () => {
    const { store, settled } = at();
    const { caseId } = await decidedCase('parcel');
    await request(caseId, ERASABLE_CLASSES);
    await settled();
    let erased: Promise<unknown> = Promise.resolve();
    let read: Promise<unknown> = Promise.resolve();
    // Both wait for the row of the case, the erasure first.
    await whileLocked(`select from cases where id = '${caseId}' for update`, async () => {
      erased = erase();
      await waiting(1);
      read = store.searchWords.note(1_000);
      await waiting(2);
    });
    await Promise.all([erased, read]);
    expect(await wordRows(caseId)).toEqual([]);
  });

  it('an erasure removes what a reader that began before it writes', async () => {
    const { store, settled } = at();
    const { caseId } = await decidedCase('parcel');
    await request(caseId, ERASABLE_CLASSES);
    await settled();
    let erased: Promise<unknown> = Promise.resolve();
    let read: Promise<unknown> = Promise.resolve();
    // The reader holds the row of the case and waits to write, and the erasure waits for that row.
    await whileLocked('lock table case_words in share mode', async () => {
      read = store.searchWords.note(1_000);
      await waiting(1);
      erased = erase();
      await waiting(2);
    });
    await Promise.all([erased, read]);
    expect(await wordRows(caseId)).toEqual([]);
  });

  it('writes the alert of a case whose evidence alone was erased', async () => {
    const { bench } = at();
    const { caseId } = await decidedCase('parcel');
    await request(caseId, ['evidence']);
    await erase();
    await bench.searched();
    const rows = await wordRows(caseId);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ words }) => words.includes('report'))).toEqual([]);
    expect(rows.every(({ words }) => words.includes('parcel'))).toBe(true);
  });
});

import { randomUUID } from 'node:crypto';
import { ERASABLE_CLASSES, type ErasableClass, type NewErasure, type Queue } from '@casefile/contracts';
import { dumpTables, plantContent, plantedText } from '../testing/planted-content.js';
import { anAlertInput } from '@casefile/contracts/testing';
import { aVerdict } from '../testing/store-bench.js';
import { testRecord } from '../testing/test-record.js';
import { ERASURE_RULES, type ErasureRule } from './erasure-rules.js';

const at = testRecord();

let withdrawn: string[] = [];
beforeEach(() => void (withdrawn = []));
const withdraw: Queue['remove'] = async ({ verdicts }) => void withdrawn.push(...verdicts);

async function decidedCase(text = 'call +44 7700 900123 now') {
  const { bench, store } = at();
  const { caseId, runId } = await bench.accept({ alert: anAlertInput({ text }) });
  const [alert] = await store.database.rows<{ id: string }>('select id from alerts where case_id = $1', [
    caseId,
  ]);
  await bench.decide(runId, { body: aVerdict('block') });
  const nothing = `update deliveries set delivered_at = now() where run_id = $1`;
  await store.database.rows(nothing, [runId]);
  return { caseId, runId, alertId: alert?.id ?? '' };
}

async function erase(caseIds: string[], over: Partial<NewErasure> = {}): Promise<string> {
  const { store } = at();
  const id = randomUUID();
  const classes = [...ERASABLE_CLASSES];
  await store.erasures.request({ id, caseIds, classes, by: 'ann', reason: 'asked', subject: null, ...over });
  await store.erasures.eraseNext(100, withdraw);
  return id;
}

describe('erasure of a case', () => {
  it('leaves no planted text of any column in any table', async () => {
    const { store } = at();
    const of = await decidedCase();
    const planted = await plantContent(store.database, of);
    const before = await dumpTables(store.database);
    expect(planted.filter((text) => !before.includes(text))).toEqual([]);
    const id = await erase([of.caseId], { subject: 'planted deadletters payload' });
    expect(await store.erasures.get(id)).toMatchObject({ total: 1, erased: 1, blocked: 0 });
    const after = await dumpTables(store.database);
    expect(after.split('\n').filter((row) => row.includes('planted'))).toEqual([]);
  });

  it.each(ERASABLE_CLASSES)('the class %s leaves what only other classes have', async (one) => {
    const { store } = at();
    const of = await decidedCase();
    await plantContent(store.database, of);
    await erase([of.caseId], { classes: [one] });
    const after = await dumpTables(store.database);
    const wrong = (Object.entries(ERASURE_RULES) as [string, ErasureRule][]).flatMap(
      ([table, { columns, scope }]) =>
        Object.entries(columns).flatMap(([column, { classes }]) => {
          if (scope === 'rule' && !['artifacts', 'feedback', 'past_cases'].includes(table)) return [];
          const isThere = after.includes(plantedText(table, column));
          const isExpected = !(classes as readonly ErasableClass[]).includes(one);
          return isThere === isExpected ? [] : [`${table}.${column}`];
        }),
    );
    expect(wrong).toEqual([]);
  });

  it('keeps verdict, digests and figures, and states who erased it and why', async () => {
    const { store } = at();
    const { caseId } = await decidedCase('my text');
    await erase([caseId]);
    const found = await store.record.getCase(caseId);
    expect(found).toMatchObject({
      erasures: [{ by: 'ann', reason: 'asked', classes: [...ERASABLE_CLASSES] }],
      alerts: [{ erased: true, by: 'ann' }],
      verdict: { disposition: 'act', outcome: { action: 'block' }, confidence: 0.9 },
    });
    expect(found?.runs[0]?.artifacts.map(({ artifact }) => artifact)).toEqual(['verdict']);
  });

  it('deletes the remembered end of its alert, by which the case could be found', async () => {
    const { store } = at();
    const { caseId } = await decidedCase();
    await store.database.rows(`update cases set fingerprint = 'print' where id = $1`, [caseId]);
    await store.database.rows(`insert into recoveries (fingerprint) values ('print'), ('other')`);
    await erase([caseId], { classes: ['images'] });
    expect(await store.database.rows('select fingerprint from recoveries')).toHaveLength(2);
    await erase([caseId], { classes: ['message'] });
    expect(await store.database.rows('select fingerprint from recoveries')).toEqual([
      { fingerprint: 'other' },
    ]);
  });

  it('waits for open work, and is done when the work has ended', async () => {
    const { store, bench } = at();
    const { caseId, runId } = await bench.accept();
    const preview = await store.erasures.preview({ caseIds: [caseId], classes: ['message'], subject: null });
    expect(preview).toMatchObject({ blocked: [{ caseId, why: 'a run has not ended' }], blockedCases: 1 });
    const id = await erase([caseId]);
    expect(await store.erasures.get(id)).toMatchObject({
      erased: 0,
      blocked: 1,
      endedAt: null,
      blockedCases: [{ caseId, why: 'a run has not ended' }],
    });
    await bench.decide(runId, { body: aVerdict('block') });
    await store.database.rows('update deliveries set delivered_at = now()');
    await store.erasures.eraseNext(100, withdraw);
    expect(await store.erasures.get(id)).toMatchObject({ erased: 0, blocked: 1 });
    await at().passTime(61_000);
    await store.erasures.eraseNext(100, withdraw);
    expect(await store.erasures.get(id)).toMatchObject({ erased: 1, blocked: 0 });
  });

  it('two processes erase each case once', async () => {
    const { store, other } = at();
    const cases = await Promise.all(Array.from({ length: 6 }, (_, i) => decidedCase(`text ${i}`)));
    const id = randomUUID();
    const caseIds = cases.map(({ caseId }) => caseId);
    const asked = { id, caseIds, classes: [...ERASABLE_CLASSES], by: 'ann', reason: 'asked', subject: null };
    await store.erasures.request(asked);
    await store.erasures.request(asked);
    await Promise.all([store.erasures.eraseNext(10, withdraw), other.erasures.eraseNext(10, withdraw)]);
    expect(await store.erasures.get(id)).toMatchObject({ total: 6, erased: 6 });
    const counted = await store.database.rows<{ n: number }>('select count(*)::int as n from case_erasures');
    expect(counted).toEqual([{ n: 6 }]);
  });

  it('finds cases by a number however it is written, by text, and by values of alerts', async () => {
    const { store } = at();
    const { caseId } = await decidedCase('call +44 7700 900123 now');
    const { caseId: other } = await decidedCase('nothing to see, anna@example.org');
    expect(await store.erasures.casesWith('0044 (7700) 900-123')).toEqual([caseId]);
    expect(await store.erasures.casesWith('Anna@Example.org')).toEqual([other]);
    expect(await store.erasures.casesWith('nobody')).toEqual([]);
  });
});

describe('the audit log after an erasure', () => {
  const label = (of: { caseId: string; runId: string }) => ({
    ...of,
    id: randomUUID(),
    agrees: false,
    outcome: { action: 'warn' },
    by: 'bob',
    note: 'he told me all about it',
    at: '2026-01-05T10:00:00.000Z',
  });

  it('verifies, has the act, and holds no text', async () => {
    const { store, settled } = at();
    const of = await decidedCase();
    await store.feedback.give(label(of));
    await settled();
    await store.audit.append(1_000);
    await erase([of.caseId]);
    // Before the erasure itself is on the log, too.
    expect(await store.audit.check(null)).toMatchObject({ problems: 0 });
    await settled();
    await store.audit.append(1_000);
    expect(await store.audit.check(null)).toMatchObject({ problems: 0 });
    const acts = await store.audit.list({ caseId: of.caseId, order: 'newest', limit: 10 });
    expect(acts.map(({ act, actor }) => `${actor} ${act}`)).toEqual([
      'ann case.erased',
      'bob feedback.given',
    ]);
    expect(await dumpTables(store.database)).not.toContain('he told me');
  });

  it('an event that was only made to look erased is found', async () => {
    const { store, settled } = at();
    const of = await decidedCase();
    await store.feedback.give(label(of));
    await settled();
    await store.audit.append(1_000);
    await erase([of.caseId]);
    await settled();
    await store.audit.append(1_000);
    const forge = `update events set data = '{"by":"bob","erased":true}' where type = 'feedback.given'`;
    await store.database.rows(forge);
    expect(await store.audit.check(null)).toMatchObject({ problems: 1 });
    await store.database.rows(`update events set data = '{"by":"eve"}' where type = 'case.erased'`);
    expect(await store.audit.check(null)).toMatchObject({ problems: 2 });
  });
});

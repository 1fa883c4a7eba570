import { type DeadLetterFilter, InvalidInput, type Lease, moves } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';

const POISON = { reasonCode: 'poison', message: 'its third crash' };

const at = testRecord();

async function quarantined(): Promise<{ caseId: string; runId: string }> {
  const { bench } = at();
  const { caseId, runId } = await bench.dueAt('reason');
  const { lease } = await bench.claim(runId, { stage: 'reason' });
  await bench.commit(lease, (at: Lease) => moves.failStep(at, { ...POISON, retryInMs: null }));
  return { caseId, runId };
}
const bury = (id: string, text: string, reasonCode = 'invalid_input'): Promise<void> =>
  at().store.deadLetters.bury({ id, reasonCode, message: `no playbook for ${id}`, payload: { text } });
const operatorEvents = async () =>
  (await at().bench.events()).filter((event) => event.type.startsWith('operator.'));

describe('dead letters', () => {
  it('R15 keep the raw alert, until they are dropped', async () => {
    const { store } = at();
    const entry = {
      id: 'job-1',
      reasonCode: 'invalid_input',
      message: 'no text',
      payload: { a: ['\u0000', 1] },
    };
    await store.deadLetters.bury(entry);
    await store.deadLetters.bury({ ...entry, id: 'job-2', payload: undefined });
    const letters = (await store.deadLetters.find({ limit: 10 })).items;
    expect(letters.map((letter) => letter.id).sort()).toEqual(['job-1', 'job-2']);
    expect(letters.find((letter) => letter.id === 'job-1')).toMatchObject({
      kind: 'alert',
      reasonCode: 'invalid_input',
      message: 'no text',
      payload: { a: ['␀', 1] },
      caseId: null,
      runId: null,
    });
    expect(await store.deadLetters.drop(['job-1', 'unknown'])).toEqual(['job-1']);
    expect((await store.deadLetters.find({ limit: 10 })).items).toHaveLength(1);
  });

  it('R15 are found by reason, by words and by id, a page at a time, newest first', async () => {
    const { store, passTime } = at();
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      await bury(`b${i}`, i === 3 ? 'A Parcel is HELD' : 'x', i < 2 ? 'too_large' : 'invalid_input');
      await passTime(1_000);
      ids.unshift(`b${i}`);
    }
    const { runId, caseId } = await quarantined();
    ids.unshift(runId);
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { limit: 2, ...(cursor ? { cursor } : {}) };
      const page: Awaited<ReturnType<typeof store.deadLetters.find>> = await store.deadLetters.find(query);
      found.push(...page.items.map((letter) => letter.id));
      cursor = page.nextCursor;
    }
    expect(found).toEqual(ids);
    const search = async (query: object): Promise<string[]> =>
      (await store.deadLetters.find({ limit: 10, ...query })).items.map((letter) => letter.id);
    expect(await search({ reason: 'too_large' })).toEqual(['b1', 'b0']);
    expect(await search({ q: 'parcel is held' })).toEqual(['b3']);
    expect(await search({ q: 'third crash' })).toEqual([runId]);
    expect(await search({ q: caseId })).toEqual([runId]);
    expect(await search({ q: '100% _\\' })).toEqual([]);
    expect(await search({ q: ' ', reason: 'poison' })).toEqual([runId]);
    expect((await store.deadLetters.find({ limit: 3 })).items.map((letter) => letter.id)).toEqual(
      ids.slice(0, 3),
    );
  });

  it('R15 keep by whose signature an alert came', async () => {
    const { store } = at();
    const entry = { reasonCode: 'invalid_input', message: 'no', payload: {} };
    await store.deadLetters.bury({ ...entry, id: 'b1', provenBy: 'grafana' });
    await store.deadLetters.bury({ ...entry, id: 'b2' });
    const letters = await store.deadLetters.of(['b1', 'b2']);
    const proofs = new Map(letters.map(({ id, provenBy }) => [id, provenBy]));
    expect([proofs.get('b1'), proofs.get('b2') ?? null]).toEqual(['grafana', null]);
  });

  it('R15 are counted by reason over all pages, and over what a search finds', async () => {
    const { store } = at();
    expect(await store.deadLetters.count()).toEqual([]);
    await bury('b1', 'A parcel is held');
    await bury('b2', 'x');
    await bury('b3', 'x', 'too_large');
    await bury('b4', 'Another PARCEL', 'too_large');
    await bury('b5', 'x', 'too_large');
    await quarantined();
    const counts = async (q: string) =>
      (await store.deadLetters.count({ q })).map(({ oldestAt: _, ...count }) => count);
    expect(await counts(' ')).toEqual([
      { reasonCode: 'too_large', count: 3 },
      { reasonCode: 'invalid_input', count: 2 },
      { reasonCode: 'poison', count: 1 },
    ]);
    expect(await counts('parcel')).toEqual([
      { reasonCode: 'invalid_input', count: 1 },
      { reasonCode: 'too_large', count: 1 },
    ]);
    const times = (await store.deadLetters.find({ reason: 'too_large', limit: 10 })).items.map(
      ({ at: it }) => it,
    );
    expect(
      (await store.deadLetters.count()).find(({ reasonCode }) => reasonCode === 'too_large')?.oldestAt,
    ).toBe(times.sort()[0]);
  });

  it('R15 refuse a cursor they did not make', async () => {
    await expect(at().store.deadLetters.find({ limit: 1, cursor: 'nonsense' })).rejects.toBeInstanceOf(
      InvalidInput,
    );
  });

  it('R15 are read by their ids', async () => {
    const { store, bench } = at();
    await bury('b1', 'x');
    const { runId, caseId } = await quarantined();
    const letters = await store.deadLetters.of(['b1', runId, 'nobody', bench.ids.id()]);
    expect(letters.map((letter) => letter.id).sort()).toEqual([runId, 'b1'].sort());
    expect(letters.find((letter) => letter.id === runId)).toMatchObject({ kind: 'run', caseId, ...POISON });
    expect(letters.find((letter) => letter.id === 'b1')).toMatchObject({
      kind: 'alert',
      caseId: null,
      payload: { text: 'x' },
    });
  });

  it('R15 are redriven once, and who did it is in the event log', async () => {
    const { store, bench } = at();
    const { runId, caseId } = await quarantined();
    const ids = [runId, bench.ids.id(), 'x'];
    const first = await store.deadLetters.redrive(ids);
    expect(first.redriven).toEqual([runId]);
    expect(first.nudges).toMatchObject([{ kind: 'stage', runId, stage: 'reason' }]);
    expect(await store.deadLetters.redrive(ids)).toEqual({ redriven: [], nudges: [] });
    expect(await store.deadLetters.of(ids)).toEqual([]);
    expect(await operatorEvents()).toMatchObject([
      {
        type: 'operator.redrove',
        caseId,
        runId,
        data: { letterId: runId, kind: 'run', reasonCode: 'poison' },
      },
    ]);
    await bench.claim(runId, { stage: 'reason' });
  });

  it('R15 that were accepted after all are gone once, with the case they went to', async () => {
    const { store, bench } = at();
    await bury('b1', 'x');
    const { caseId, runId, alertId } = await bench.accept();
    expect(await store.deadLetters.settle('b1', { caseId, runId, alertId })).toBe(true);
    expect(await store.deadLetters.settle('b1', { caseId, runId, alertId })).toBe(false);
    expect(await operatorEvents()).toMatchObject([
      { type: 'operator.redrove', caseId, runId, data: { letterId: 'b1', kind: 'alert' } },
    ]);
  });

  it('U28 are found by kind, sender and time', async () => {
    const { store, passTime } = at();
    const entry = { reasonCode: 'invalid_input', message: 'no' };
    await store.deadLetters.bury({ ...entry, id: 'b1', payload: { source: 'Pager-Duty' } });
    await passTime(10_000);
    await store.deadLetters.bury({ ...entry, id: 'b2', payload: [], provenBy: 'grafana' });
    await store.deadLetters.bury({ ...entry, id: 'b3', payload: 'no object' });
    const { runId } = await quarantined();
    const letters = await store.deadLetters.of(['b1', 'b2']);
    const [late, early] = letters.map((letter) => letter.at) as [string, string];
    // Times of rows have microseconds.
    const justAfter = new Date(Date.parse(early) + 1).toISOString();
    const find = async (filter: DeadLetterFilter): Promise<[string[], number]> => [
      (await store.deadLetters.find({ limit: 10, ...filter })).items.map((letter) => letter.id).sort(),
      (await store.deadLetters.count(filter)).reduce((sum, { count }) => sum + count, 0),
    ];
    expect(await find({ kind: 'run' })).toEqual([[runId], 1]);
    expect(await find({ source: 'pager' })).toEqual([['b1'], 1]);
    expect(await find({ source: 'grafana', kind: 'alert' })).toEqual([['b2'], 1]);
    expect(await find({ to: justAfter })).toEqual([['b1'], 1]);
    const dayBefore = new Date(Date.parse(late) - 86_400_000).toISOString().slice(0, 10);
    expect(await find({ to: late.slice(0, 10), source: 'grafana' })).toEqual([['b2'], 1]);
    expect(await find({ to: dayBefore, source: 'grafana' })).toEqual([[], 0]);
    expect(await find({ from: late, kind: 'alert' })).toEqual([['b2', 'b3'], 2]);
    await expect(find({ from: 'soon' })).rejects.toBeInstanceOf(InvalidInput);
    expect(letters.map(({ source }) => source)).toEqual(['grafana', 'Pager-Duty']);
  });

  it('U28 keep the original of an alert that was edited, and who edited it', async () => {
    const { store, bench } = at();
    await bury('b1', 'as it came');
    await bury('b2', 'not edited');
    const accepted = await bench.accept();
    const { caseId, runId, alertId } = accepted;
    const edit = { original: { text: 'as it came' }, by: 'ann' };
    expect(await store.deadLetters.settle('b1', accepted, edit)).toBe(true);
    expect(await store.deadLetters.settle('b1', accepted, { ...edit, by: 'bob' })).toBe(false);
    expect(await store.deadLetters.settle('b2', accepted)).toBe(true);
    expect(await store.deadLetters.edited('b1')).toMatchObject({
      id: 'b1',
      kind: 'alert',
      caseId,
      reasonCode: 'invalid_input',
      payload: { text: 'as it came' },
      edited: { by: 'ann', alertId },
    });
    expect(await store.deadLetters.edited('b2')).toBeNull();
    await bury('b1', 'as it came');
    expect(await store.deadLetters.settle('b1', accepted, { ...edit, by: 'b\0b' })).toBe(true);
    expect(await store.deadLetters.edited('b1')).toMatchObject({ edited: { by: 'ann', alertId } });
    expect(await operatorEvents()).toMatchObject([
      { type: 'operator.redrove', caseId, runId, data: { letterId: 'b1', editedBy: 'ann' } },
      { type: 'operator.redrove', caseId, runId, data: { letterId: 'b2', editedBy: null } },
      { type: 'operator.redrove', caseId, runId, data: { letterId: 'b1', editedBy: 'b\u2400b' } },
    ]);
  });

  it('S2-31 are not the only events of what people do', async () => {
    await at().store.record.noteOperatorAction('queue-board', { path: '\u0000/x' });
    expect(await operatorEvents()).toMatchObject([
      { type: 'operator.queue-board', caseId: null, runId: null, data: { path: '\u2400/x' } },
    ]);
  });

  it('R15 are given up once: an alert goes, a run is stopped for good', async () => {
    const { store, bench } = at();
    await bury('b1', 'x');
    await bury('b2', 'x');
    const { runId, caseId } = await quarantined();
    const ids = ['b1', runId, 'nobody'];
    expect((await store.deadLetters.drop(ids)).sort()).toEqual([runId, 'b1'].sort());
    expect(await store.deadLetters.drop(ids)).toEqual([]);
    expect((await store.deadLetters.find({ limit: 10 })).items.map((letter) => letter.id)).toEqual(['b2']);
    const [run] = (await store.record.getCase(caseId))!.runs;
    expect(run).toMatchObject({ status: 'stopped', reasonCode: 'dropped', stage: 'reason' });
    expect(run!.message).toContain('poison: its third crash');
    expect(run!.trace.slice(-2).map((event) => event.type)).toEqual(['run.stopped', 'operator.dropped']);
    const events = await operatorEvents();
    expect(events.map((event) => [event.type, event.data['letterId']]).sort()).toEqual(
      [
        ['operator.dropped', runId],
        ['operator.dropped', 'b1'],
      ].sort(),
    );
    expect((await store.deadLetters.redrive([runId])).redriven).toEqual([]);
    expect((await store.deadLetters.redrive([runId])).nudges).toEqual([]);
    expect(await bench.eventTypes()).not.toContain('run.redriven');
  });
});

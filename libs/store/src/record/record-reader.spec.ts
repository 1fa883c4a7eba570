import { aRunSettings, until } from '@casefile/contracts/testing';
import { InvalidInput } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';
import { advanceTo, aVerdict } from '../testing/store-bench.js';

const at = testRecord();

describe('listCases', () => {
  it('S2-30 lists cases newest first, in pages that neither repeat nor skip', async () => {
    const { bench, store } = at();
    const ids: string[] = [];
    for (let i = 0; i < 7; i += 1) ids.unshift((await bench.accept()).caseId);
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page: Awaited<ReturnType<typeof store.record.listCases>> = await store.record.listCases({
        limit: 3,
        ...(cursor ? { cursor } : {}),
      });
      found.push(...page.items.map((item) => item.id));
      // A case that arrives meanwhile belongs before the first page.
      await bench.accept();
      cursor = page.nextCursor;
    }
    expect(found).toEqual(ids);
  });

  it('refuses a cursor it did not make, and dates that are none', async () => {
    const { store } = at();
    for (const query of [
      { cursor: 'nonsense' },
      { cursor: 'MTIz' },
      { from: 'yesterday' },
      { to: '2026-13-45' },
    ]) {
      await expect(store.record.listCases({ limit: 5, ...query })).rejects.toBeInstanceOf(InvalidInput);
    }
  });

  it('S2-30 filters by status, playbook, action, lane and time', async () => {
    const { bench, store, passTime } = at();
    const old = await bench.accept();
    await passTime(3_600_000);
    const acted = await bench.accept();
    await bench.decide(acted.runId, { body: aVerdict('block') });
    const batch = await bench.accept({ lane: 'batch', alert: { playbook: 'research', text: 'x' } });
    const from = new Date((await dateOf(acted.caseId)) - 1_000).toISOString();
    const listed = async (query: object): Promise<string[]> =>
      (await store.record.listCases({ limit: 10, ...query })).items.map((item) => item.id);
    expect(await listed({ status: 'decided' })).toEqual([acted.caseId]);
    expect(await listed({ status: 'open' })).toEqual([batch.caseId, old.caseId]);
    expect(await listed({ playbook: 'research' })).toEqual([batch.caseId]);
    expect(await listed({ action: 'block' })).toEqual([acted.caseId]);
    expect(await listed({ action: 'other' })).toEqual([]);
    expect(await listed({ lane: 'batch' })).toEqual([batch.caseId]);
    expect(await listed({ lane: 'live', status: 'open' })).toEqual([old.caseId]);
    expect(await listed({ from })).toEqual([batch.caseId, acted.caseId]);
    expect(await listed({ to: from })).toEqual([old.caseId]);
    const [today, dayBefore] = [0, 86_400_000].map((ms) => new Date(Date.parse(from) + 1_000 - ms));
    expect(await listed({ to: dayOf(today!) })).toContain(acted.caseId);
    expect(await listed({ to: dayOf(dayBefore!) })).not.toContain(acted.caseId);

    function dayOf(at: Date): string {
      return at.toISOString().slice(0, 10);
    }
    async function dateOf(caseId: string): Promise<number> {
      return Date.parse((await store.record.getCase(caseId))!.createdAt);
    }
  });

  it('shows the facts of the newest run', async () => {
    const { bench, store } = at();
    const { caseId, runId } = await bench.accept();
    await bench.decide(runId);
    const [decided] = (await store.record.listCases({ limit: 1 })).items;
    expect(decided).toMatchObject({
      id: caseId,
      status: 'decided',
      text: 'Your parcel is held, pay at http://parcel.example',
      run: {
        id: runId,
        lane: 'live',
        status: 'decided',
        stage: null,
        verdict: aVerdict(),
        decidedAt: expect.any(String),
      },
    });
    const again = bench.ids.id();
    await store.runs.open({
      caseId,
      runId: again,
      lane: 'batch',
      settings: aRunSettings(),
      firstStage: 'reason',
    });
    const [shown] = (await store.record.listCases({ limit: 1 })).items;
    expect(shown?.run).toMatchObject({
      id: again,
      lane: 'batch',
      status: 'due',
      stage: 'reason',
      verdict: null,
    });
  });

  it('finds words of the alert and of the report, in any script', async () => {
    const { bench, store } = at();
    const hindi = await bench.accept({
      alert: { playbook: 'p', text: 'आपका खाता बंद हो जाएगा, अभी क्लिक करें' },
    });
    const parcel = await bench.accept({ alert: { playbook: 'p', text: 'Your PARCEL is held at customs' } });
    const { lease } = await bench.claim(hindi.runId);
    const markdown = '# Account threat\n\nThe sender *impersonates* a bank.';
    await bench.commit(
      lease,
      advanceTo('decide', { artifact: { name: 'report', body: { title: 't', markdown } } }),
    );
    await until('all texts are searched', async () => {
      await store.searchWords.note(1_000);
      return (await store.record.listCases({ limit: 1, q: 'a' })).searchableTo === null;
    });
    const searchedIds = async (q: string): Promise<string[]> =>
      (await store.record.listCases({ limit: 10, q })).items.map((item) => item.id);
    expect(await searchedIds('parcel')).toEqual([parcel.caseId]);
    expect(await searchedIds('held custom')).toEqual([parcel.caseId]);
    expect(await searchedIds('खाता')).toEqual([hindi.caseId]);
    expect(await searchedIds('impersonates bank')).toEqual([hindi.caseId]);
    expect(await searchedIds('parcel bank')).toEqual([]);
    expect(await searchedIds("o'no \\ & | ! ( :*")).toEqual([]);
    expect(await searchedIds('')).toHaveLength(2);
  });
});

describe('getCase', () => {
  it('S2-30 gives one case as one document, everything on the record of its runs', async () => {
    const { bench, store } = at();
    const { caseId, runId, alertId } = await bench.dueAt('reason');
    const { lease } = await bench.claim(runId, { stage: 'reason' });
    const intent = bench.intent(lease);
    await store.interactions.intend(intent);
    const document = (await store.record.getCase(caseId))!;
    expect(document).toMatchObject({ id: caseId, playbook: 'scam-verdict', status: 'open', alertCount: 1 });
    expect(document.alerts).toHaveLength(1);
    expect(document.runs).toHaveLength(1);
    const run = document.runs[0]!;
    expect(run).toMatchObject({
      id: runId,
      caseId,
      alertId,
      lane: 'live',
      status: 'running',
      stage: 'reason',
      round: 1,
    });
    expect(run.settings).toEqual(aRunSettings());
    expect(run.units).toEqual([
      { unit: '', status: 'running', stage: 'reason', round: 1, reasonCode: null, message: null },
    ]);
    expect(run.interactions).toMatchObject([
      { id: intent.interaction.id, state: 'pending', hasReasoning: false },
    ]);
    expect(run.trace.map((event) => event.type)).toEqual([
      'alert.accepted',
      'case.created',
      'run.created',
      'stage.completed',
      'interaction.started',
    ]);
  });

  it('is null for what is not there', async () => {
    const { bench, store } = at();
    expect(await store.record.getCase(bench.ids.id())).toBeNull();
    expect(await store.record.getCase('not-a-uuid')).toBeNull();
  });

  it('gives settings and bodies back as they went in, key order included', async () => {
    const { bench, store } = at();
    const options = { z: 1, a: { y: [1.5, null, 'x'], b: true } };
    const { caseId, runId } = await bench.accept({ settings: aRunSettings({ options }) });
    const { lease, settings } = await bench.claim(runId);
    expect(JSON.stringify(settings.options)).toBe(JSON.stringify(options));
    await bench.commit(lease, advanceTo('collect', { artifact: { name: 'brief', body: options } }));
    const [run] = (await store.record.getCase(caseId))!.runs;
    expect(JSON.stringify(run!.artifacts[0]!.body)).toBe(JSON.stringify(options));
  });
});

describe('events', () => {
  it('S2-31 are read on from the last one that was seen', async () => {
    const { bench, store, settled } = at();
    expect(await store.record.lastEventId()).toBeNull();
    await bench.dueAt('collect');
    const all = await bench.events();
    expect(all.map((event) => event.type)).toEqual([
      'alert.accepted',
      'case.created',
      'run.created',
      'stage.completed',
    ]);
    expect(await store.record.eventsAfter(all[1]!.id, 1)).toEqual([all[2]]);
    expect(await store.record.lastEventId()).toBe(all[3]!.id);
    expect(await store.record.eventsAfter(all[3]!.id, 10)).toEqual([]);
    await bench.accept();
    await settled();
    expect((await store.record.eventsAfter(all[3]!.id, 10)).map((event) => event.type)[0]).toBe(
      'alert.accepted',
    );
  });

  it('refuse an id that is none of theirs', async () => {
    const { store } = at();
    for (const id of ['x', '1', '1.2.3', '1.99999999999999999999']) {
      await expect(store.record.eventsAfter(id, 5)).rejects.toBeInstanceOf(InvalidInput);
    }
  });

  it('S2-31 reach a reader that polls while many write, each once', async () => {
    const { bench, store, other, settled } = at();
    const seen: string[] = [];
    let last: string | null = null;
    const poll = async (): Promise<void> => {
      const events = await store.record.eventsAfter(last, 50);
      seen.push(...events.map((event) => event.id));
      last = events.at(-1)?.id ?? last;
    };
    let writing = true;
    const write = async (i: number): Promise<void> => {
      const through = i % 2 ? store : other;
      for (let n = 0; n < 5; n += 1) await through.runs.accept(bench.request());
    };
    const writers = Promise.all(Array.from({ length: 8 }, (_, i) => write(i))).finally(
      () => (writing = false),
    );
    while (writing) await poll();
    await writers;
    await settled();
    for (let before = -1; before !== seen.length;) {
      before = seen.length;
      await poll();
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toHaveLength(8 * 5 * 3);
    expect(seen).toEqual((await bench.events()).map((event) => event.id));
  });
});

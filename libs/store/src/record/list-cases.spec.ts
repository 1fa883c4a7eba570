import { moves, type Lease } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { testRecord } from '../testing/test-record.js';
import { advanceTo, aResult, aVerdict } from '../testing/store-bench.js';

const at = testRecord();

const listed = async (query: object): Promise<string[]> =>
  (await at().store.record.listCases({ limit: 20, ...query })).items.map((item) => item.id);

describe('listCases', () => {
  it('S2-30 filters by the disposition, method and degradation of the newest verdict', async () => {
    const { bench, store } = at();
    const acted = await bench.accept();
    await bench.decide(acted.runId);
    const fallback = await bench.accept();
    const body = { ...aVerdict(), disposition: 'review', method: 'heuristic', degraded: true };
    await bench.decide(fallback.runId, { body });
    const open = await bench.accept();
    expect(await listed({ disposition: 'review' })).toEqual([fallback.caseId]);
    expect(await listed({ method: 'heuristic' })).toEqual([fallback.caseId]);
    expect(await listed({ method: 'llm' })).toEqual([acted.caseId]);
    expect(await listed({ degraded: true })).toEqual([fallback.caseId]);
    expect(await listed({ degraded: false, disposition: 'act' })).toEqual([acted.caseId]);
    expect(await listed({})).toEqual([open.caseId, fallback.caseId, acted.caseId]);
    // Another run is under way: the case does not show the result of the run before it.
    await store.runs.open({
      caseId: fallback.caseId,
      runId: bench.ids.id(),
      lane: 'live',
      firstStage: 'reason',
      settings: aRunSettings(),
    });
    expect(await listed({ method: 'heuristic' })).toEqual([]);
    expect(await listed({ degraded: true })).toEqual([]);
  });

  it('S2-30 finds the last word by its beginning, with filters and pages', async () => {
    const { bench, store } = at();
    const ids: string[] = [];
    for (const text of ['खाता बंद parcel', 'parcel खाते में', 'no such thing', 'PARCELS held']) {
      ids.unshift((await bench.accept({ alert: { playbook: 'p', text } })).caseId);
    }
    await bench.searched();
    expect(await listed({ q: 'parc' })).toEqual([ids[0], ids[2], ids[3]]);
    expect(await listed({ q: 'खा' })).toEqual([ids[2], ids[3]]);
    expect(await listed({ q: 'parc held' })).toEqual([]);
    expect(await listed({ q: 'p', status: 'decided' })).toEqual([]);
    const first = await store.record.listCases({ limit: 2, q: 'parc' });
    const next = await store.record.listCases({ limit: 2, q: 'parc', cursor: first.nextCursor! });
    expect([...first.items, ...next.items].map((item) => item.id)).toEqual([ids[0], ids[2], ids[3]]);
    expect(next.nextCursor).toBeNull();
  });

  it('U11 finds what pages show, however its words and numbers are joined', async () => {
    const { bench } = at();
    const accept = async (alert: object) =>
      (await bench.accept({ alert: { playbook: 'p', ...alert } })).caseId;
    const parcel = await accept({
      text: 'Your parcel SP-20871 waits at swiftpost-redelivery.example/pay?id=7',
    });
    const call = await accept({ text: 'Call +44 (9098) 790-123 or 0049 30 1234567, a premium_rate number' });
    const plain = await accept({ text: 'Call +449098790123: a premium rate, 50% off, version 1.20.3' });
    const payload = { labels: { namespace: 'shop-front', instance: '10.0.7.21:9100' }, note: 'disk\nfull' };
    const alert = await accept({ payload });
    const { runId, caseId: reported } = await bench.accept({ alert: { playbook: 'p', text: 'x' } });
    const { lease } = await bench.claim(runId);
    const body = { title: 't', markdown: 'The sender is **wholesale-only**, ticket INC-00042.' };
    await bench.commit(lease, advanceTo('decide', { artifact: { name: 'report', body } }));
    await bench.searched();
    const searchedIds = async (q: string) => (await listed({ q })).sort();
    const expected: [q: string, ids: string[]][] = [
      ['20871', [parcel]],
      ['SP-20871', [parcel]],
      ['sp 20871', [parcel]],
      ['SP-2087', [parcel]],
      ['swiftpost', [parcel]],
      ['swiftpost-redelivery.example', [parcel]],
      ['premium-rate', [call, plain]],
      ['premium_rate', [call, plain]],
      ['449098790123', [call, plain]],
      ['+449098790123', [call, plain]],
      ['+44 9098 790123', [call, plain]],
      ['0044 9098/790.123', [call, plain]],
      ['4490987', [call, plain]],
      ['premium +44 9098 790 123', [call, plain]],
      ['held +44 9098 790 123', []],
      ['49301234567', [call]],
      ['790', [call]],
      ['50%', [plain]],
      ['1.20.3', [plain]],
      ['shop-front', [alert]],
      ['10.0.7.21', [alert]],
      ['disk full', [alert]],
      ['wholesale', [reported]],
      ['INC-00042', [reported]],
      ['00042', [reported]],
      ["'); drop table cases; --", []],
      ['9'.repeat(600), []],
    ];
    for (const [q, ids] of expected) expect([q, await searchedIds(q)]).toEqual([q, ids.sort()]);
  });

  it('S2-30 names a case once, however many of its alerts have the word', async () => {
    const { bench } = at();
    const { caseId } = await bench.accept({ fingerprint: 'f' });
    for (let i = 0; i < 3; i += 1) await bench.store.runs.accept(bench.request({ fingerprint: 'f' }));
    await bench.searched();
    expect(await listed({ q: 'parcel' })).toEqual([caseId]);
  });

  it('shows, finds and counts cases of a data set only for a request for that data set', async () => {
    const { bench, store, settled } = at();
    const apart = await bench.accept({ dataset: 'unseen.jsonl', lane: 'batch', fingerprint: null });
    await bench.decide(apart.runId);
    const live = await bench.accept();
    await bench.decide(live.runId);
    await bench.searched();
    for (const words of [{}, { q: 'parcel' }]) {
      expect(await listed(words)).toEqual([live.caseId]);
      expect(await listed({ ...words, dataset: 'unseen.jsonl' })).toEqual([apart.caseId]);
      expect(await listed({ ...words, dataset: 'other.jsonl' })).toEqual([]);
    }
    await settled();
    const { verdicts, stages } = await store.record.pipelineFigures();
    expect(verdicts.lastHour).toBe(1);
    expect(stages.map(({ lane, doneLastMinute }) => [lane, doneLastMinute])).toEqual([['live', 1]]);
  });

  it('S2-30 tells what the newest run cost and whether a model reasoned', async () => {
    const { bench, store } = at();
    const plain = await bench.accept();
    const { runId } = await bench.dueAt('reason');
    const { lease } = await bench.claim(runId, { stage: 'reason' });
    const [first, second] = [bench.intent(lease), bench.intent(lease, { step: 2 })];
    await store.interactions.intend(first);
    await store.interactions.intend({ ...second, results: [aResult(first.interaction.id)] });
    await bench.commit(lease, advanceTo('critique', { artifact: { name: 'draft', body: {} } }), {
      results: [aResult(second.interaction.id, { costUsd: null, hasReasoning: false })],
    });
    const [reasoned, other] = (await store.record.listCases({ limit: 2 })).items;
    expect(reasoned).toMatchObject({ costUsd: 0.0012, hasReasoning: true });
    expect(other).toMatchObject({ id: plain.caseId, costUsd: 0, hasReasoning: false });
  });

  it('S2-30 names a case by the line of its newest alert', async () => {
    const { bench, store } = at();
    await bench.accept({ alert: { playbook: 'p', payload: { policy: 'claims' } }, line: 'Burst hose' });
    await bench.accept({ alert: { playbook: 'p', text: 'A text' }, line: '' });
    const texts = (await store.record.listCases({ limit: 2 })).items.map(({ text }) => text);
    expect(texts).toEqual(['', 'Burst hose']);
  });

  it('S2-30 gives back whatever a text holds, as it came', async () => {
    const { bench, store } = at();
    const text = `<script>alert(1)</script> "quoted" 'x' \\ $1 ${'😀'.repeat(3)} \u202e`;
    const { caseId } = await bench.accept({ alert: { playbook: 'p', text } });
    expect((await store.record.listCases({ limit: 1 })).items[0]?.text).toBe(text);
    expect((await store.record.getCase(caseId))?.alerts[0]?.text).toBe(text);
  });
});

describe('alertImage', () => {
  it('S2-30 is the image of an alert of that case, and of no other', async () => {
    const { bench, store } = at();
    const image = { mediaType: 'image/png' as const, base64: 'iVBORw0KGgo=' };
    const shown = await bench.accept({ alert: { playbook: 'p', image } });
    const plain = await bench.accept();
    expect(await store.record.alertImage(shown.caseId, shown.alertId)).toEqual(image);
    expect(await store.record.alertImage(plain.caseId, shown.alertId)).toBeNull();
    expect(await store.record.alertImage(plain.caseId, plain.alertId)).toBeNull();
    expect(await store.record.alertImage('x', 'y')).toBeNull();
  });
});

describe('units that wait for a worker', () => {
  it('are counted by stage up to a limit, without those that are worked on or held back', async () => {
    const { bench, store } = at();
    for (let n = 0; n < 3; n += 1) await bench.accept();
    const { runId } = await bench.dueAt('reason');
    expect(await store.record.dueUnits(10)).toEqual([
      { stage: 'reason', n: 1 },
      { stage: 'triage', n: 3 },
    ]);
    const { lease } = await bench.claim(runId, { stage: 'reason' });
    expect(await store.record.dueUnits(10)).toEqual([{ stage: 'triage', n: 3 }]);
    await bench.commit(lease, (at: Lease) =>
      moves.postponeStep(at, { delayMs: 300_000, reasonCode: 'circuit_open' }),
    );
    expect(await store.record.dueUnits(10)).toEqual([{ stage: 'triage', n: 3 }]);
    expect(await store.record.dueUnits(2)).toEqual([{ stage: 'triage', n: 2 }]);
  });
});

describe('units that wait for a provider', () => {
  it('are counted in their stage, and woken when a person has the provider tried', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.dueAt('reason');
    const { lease } = await bench.claim(runId, { stage: 'reason' });
    await bench.commit(lease, (at: Lease) =>
      moves.postponeStep(at, { delayMs: 300_000, reasonCode: 'circuit_open' }),
    );
    const stage = { stage: 'reason', lane: 'live', n: 1 };
    expect((await store.record.pipelineFigures()).held).toEqual([stage]);
    const { provider } = (await store.record.getCase(
      (await store.record.listCases({ limit: 1 })).items[0]!.id,
    ))!.runs[0]!.settings;
    await store.providers.failed({
      provider,
      reasonCode: 'server_error',
      openAfter: 1,
      openMs: 300_000,
      maxOpenMs: 300_000,
    });
    await passTime(1_000);
    expect(await store.units.sweep(10)).toEqual([]);
    await store.providers.tryNow(provider);
    expect(await store.units.sweep(10)).toMatchObject([{ nudge: { runId, stage: 'reason' } }]);
    expect((await store.record.pipelineFigures()).held).toEqual([]);
  });
});

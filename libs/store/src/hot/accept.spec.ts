import { aClaimRequest, aRunSettings } from '@casefile/contracts/testing';
import { testRecord } from '../testing/test-record.js';
import { advanceTo, aVerdict } from '../testing/store-bench.js';

const DAY_MS = 86_400_000;

const at = testRecord();

describe('accept', () => {
  it('R10 keeps the alert, its case and a run that is due, and says so in events', async () => {
    const { bench, store } = at();
    expect(await store.record.isEmpty()).toBe(true);
    const request = bench.request({
      alert: { playbook: 'scam-verdict', text: 'hello', labels: { a: 'b' }, tenant: 7 },
    });
    const accepted = await store.runs.accept(request);
    const nudge = {
      kind: 'stage',
      runId: request.runId,
      unit: '',
      stage: 'triage',
      round: 1,
      lane: 'live',
      nudge: 1,
    };
    expect(accepted).toEqual({
      kind: 'accepted',
      alertId: request.alertId,
      caseId: request.caseId,
      runId: request.runId,
      joined: false,
      nudges: [nudge],
    });
    expect(await bench.eventTypes()).toEqual(['alert.accepted', 'case.created', 'run.created']);
    expect(await store.record.isEmpty()).toBe(false);
    const kept = { ...request.alert, id: request.alertId, receivedAt: request.receivedAt };
    expect((await store.record.getCase(request.caseId))?.alerts).toEqual([kept]);
    expect((await bench.claim(request.runId, { readsAlert: true })).alert).toEqual(kept);
  });

  it('claims the first stage for a caller that works it itself, and loads what a claim would', async () => {
    const { bench, store, passTime } = at();
    const image = { mediaType: 'image/png' as const, base64: 'iVBORw0KGgo=' };
    const alert = { playbook: 'scam-verdict', text: 'half \ud800 and \u0000', image, tenant: { a: 7 } };
    const request = bench.request({ alert, claimForMs: 6_000, fingerprint: 'f', trace: 'a trace' });
    const { work, nudges } = await bench.accept(request);
    expect(nudges).toEqual([]);
    const refused = { kind: 'refused', reason: 'leased', nudges: [] };
    expect(await store.units.claim(aClaimRequest(request.runId))).toEqual(refused);
    expect(await bench.accept({ fingerprint: 'f', claimForMs: 6_000 })).not.toHaveProperty('work');
    // A worker that died is a crash of the step, as after any claim.
    await passTime(6_001);
    const { work: other } = await bench.accept({ claimForMs: 6_000 });
    const again = await bench.claim(request.runId, { readsAlert: true });
    expect(again).toMatchObject({ crashes: 1, lease: { epoch: 2 } });
    expect(work).toEqual({ ...again, lease: { ...again.lease, epoch: 1 }, crashes: 0, pausedMs: 0 });
    await bench.advance(other!.lease, 'collect');
    const late = bench.commitRequest(work!.lease, advanceTo('collect'));
    expect(await store.units.commit(late)).toEqual({ kind: 'stale' });
  });

  it('R14 quarantines the run of an alert that kills its worker as often as any step may', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.accept({ claimForMs: 6_000 });
    for (const crashes of [1, 2]) {
      await passTime(6_001);
      expect(await bench.claim(runId)).toMatchObject({ crashes });
    }
    await passTime(6_001);
    expect(await store.units.claim(aClaimRequest(runId))).toMatchObject({ reason: 'quarantined' });
  });

  it('keeps an image apart and hands it out with the alert', async () => {
    const { bench } = at();
    const image = { mediaType: 'image/png' as const, base64: 'iVBORw0KGgo=' };
    const { runId } = await bench.accept({ alert: { playbook: 'scam-verdict', image } });
    expect((await bench.claim(runId, { readsAlert: true })).alert?.image).toEqual(image);
  });

  it('R11 answers a key that was used before as it did then, and refuses it with another body', async () => {
    const { bench, store } = at();
    const idempotency = { key: 'key-1\u0000"{,}', bodyDigest: 'digest-1' };
    const first = await bench.accept({ idempotency });
    const { alertId, caseId, runId, joined } = first;
    const again = await store.runs.accept(bench.request({ idempotency }));
    expect(again).toEqual({ kind: 'repeated', alertId, caseId, runId, joined });
    const other = await store.runs.accept(
      bench.request({ idempotency: { ...idempotency, bodyDigest: 'digest-2' } }),
    );
    expect(other).toEqual({ kind: 'key-reused' });
    expect((await store.record.getCase(caseId))?.alertCount).toBe(1);
  });

  it('takes the same request again, its answer lost, for the same alert', async () => {
    const { bench, store } = at();
    const request = bench.request({ fingerprint: 'print' });
    await store.runs.accept(request);
    expect(await store.runs.accept(request)).toMatchObject({
      kind: 'repeated',
      caseId: request.caseId,
      runId: request.runId,
    });
    expect((await store.record.getCase(request.caseId))?.alertCount).toBe(1);
  });

  it('R11 joins alerts of one fingerprint to the open case, without another run', async () => {
    const { bench, store } = at();
    const first = await bench.accept({ fingerprint: 'print' });
    const second = await bench.accept({
      fingerprint: 'print',
      alert: { playbook: 'scam-verdict', text: 'newer' },
    });
    expect(second).toMatchObject({ caseId: first.caseId, runId: first.runId, joined: true, nudges: [] });
    const kept = await store.record.getCase(first.caseId);
    expect(kept).toMatchObject({ alertCount: 2, status: 'open' });
    expect(kept?.runs).toHaveLength(1);
    expect((await store.record.listCases({ limit: 5 })).items[0]?.text).toBe('newer');
    const other = await bench.accept({ fingerprint: 'another print' });
    expect(other.caseId).not.toBe(first.caseId);
  });

  it('opens a case of its own for every alert without a fingerprint', async () => {
    const { bench } = at();
    expect((await bench.accept()).caseId).not.toBe((await bench.accept()).caseId);
  });

  it('gives a decided case a new run only when its hold-off is over', async () => {
    const { bench, store, passTime } = at();
    const first = await bench.accept({ fingerprint: 'print' });
    await bench.decide(first.runId, { body: aVerdict('act') });
    expect((await store.record.getCase(first.caseId))?.status).toBe('decided');
    const soon = await bench.accept({ fingerprint: 'print', holdOffMs: DAY_MS });
    expect(soon).toMatchObject({ caseId: first.caseId, runId: first.runId, joined: true, nudges: [] });
    await passTime(DAY_MS + 1_000);
    const late = await bench.accept({ fingerprint: 'print', holdOffMs: DAY_MS });
    expect(late).toMatchObject({ caseId: first.caseId, joined: true });
    expect(late.runId).not.toBe(first.runId);
    expect(late.nudges).toHaveLength(1);
    const kept = await store.record.getCase(first.caseId);
    expect(kept).toMatchObject({ status: 'open', alertCount: 3 });
    expect(kept?.runs.map((run) => run.status)).toEqual(['decided', 'due']);
    expect((await bench.claim(late.runId, { readsAlert: true })).alert?.id).toBe(late.alertId);
  });

  it('R11 ends 100 concurrent alerts of one fingerprint, through two processes, in exactly one case', async () => {
    const { bench, store, other } = at();
    const requests = Array.from({ length: 100 }, () => bench.request({ fingerprint: 'print' }));
    const results = await Promise.all(
      requests.map((request, i) => (i % 2 ? store : other).runs.accept(request)),
    );
    expect(
      new Set(results.map((result) => (result.kind === 'accepted' ? result.caseId : result.kind))).size,
    ).toBe(1);
    expect(results.filter((result) => result.kind === 'accepted' && !result.joined)).toHaveLength(1);
    const { items } = await store.record.listCases({ limit: 10 });
    expect(items.map((item) => item.alertCount)).toEqual([100]);
  });

  it('R11 ends 100 concurrent requests of one key, through two processes, in exactly one case', async () => {
    const { bench, store, other } = at();
    const idempotency = { key: 'k', bodyDigest: 'd' };
    const requests = Array.from({ length: 100 }, () => bench.request({ idempotency }));
    const results = await Promise.all(
      requests.map((request, i) => (i % 2 ? store : other).runs.accept(request)),
    );
    expect(results.filter((result) => result.kind === 'accepted')).toHaveLength(1);
    expect(results.filter((result) => result.kind === 'repeated')).toHaveLength(99);
    expect((await store.record.listCases({ limit: 10 })).items).toHaveLength(1);
  });

  it('accepts the good ones of a crowd with a bad one in it', async () => {
    const { bench, store } = at();
    const requests = Array.from({ length: 12 }, () => bench.request());
    const bad = {
      ...bench.request(),
      alert: {
        playbook: 'x',
        text: undefined,
        toJSON: () => {
          throw new Error('no');
        },
      },
    };
    const all = [...requests.slice(0, 6), bad, ...requests.slice(6)];
    const results = await Promise.allSettled(all.map((request) => store.runs.accept(request)));
    expect(results.filter((result) => result.status === 'rejected')).toHaveLength(1);
    expect((await store.record.listCases({ limit: 50 })).items).toHaveLength(12);
  });

  it('keeps texts with NUL bytes and half surrogates, shown as what they are', async () => {
    const { bench, store } = at();
    const alert = { playbook: 'scam-verdict', text: 'a\u0000b\ud800c', payload: { 'k\u0000': '\udfff' } };
    const { runId, caseId } = await bench.accept({ alert });
    const work = await bench.claim(runId, { readsAlert: true });
    expect(work.alert).toMatchObject({ text: 'a␀b\ufffdc', payload: { 'k␀': '\ufffd' } });
    expect((await store.record.getCase(caseId))?.alerts[0]?.text).toBe('a␀b\ufffdc');
  });
});

describe('openRun', () => {
  it('opens another run over the alert of the newest one', async () => {
    const { bench, store } = at();
    const first = await bench.accept();
    await bench.decide(first.runId);
    const settings = aRunSettings({ model: 'other' });
    const request = {
      caseId: first.caseId,
      runId: bench.ids.id(),
      lane: 'replay' as const,
      settings,
      firstStage: 'reason',
    };
    const { runId, nudges } = await store.runs.open(request);
    expect(nudges).toEqual([
      { kind: 'stage', runId, unit: '', stage: 'reason', round: 1, lane: 'replay', nudge: 1 },
    ]);
    const work = await bench.claim(runId, { stage: 'reason', readsAlert: true });
    expect(work).toMatchObject({ lane: 'replay', settings, alert: { id: first.alertId } });
    expect(await store.record.getCase(first.caseId)).toMatchObject({ status: 'decided' });
    expect((await bench.eventTypes()).at(-1)).toBe('run.created');
  });

  it('opens a decided case again for a live run', async () => {
    const { bench, store } = at();
    const first = await bench.accept();
    await bench.decide(first.runId);
    const runId = bench.ids.id();
    await store.runs.open({
      caseId: first.caseId,
      runId,
      lane: 'live',
      settings: aRunSettings(),
      firstStage: 'triage',
    });
    expect((await store.record.getCase(first.caseId))?.status).toBe('open');
    await bench.decide(runId);
    expect((await store.record.getCase(first.caseId))?.status).toBe('decided');
  });

  it('refuses a case that is not there', async () => {
    const { bench, store } = at();
    const request = {
      runId: bench.ids.id(),
      lane: 'live' as const,
      settings: aRunSettings(),
      firstStage: 'triage',
    };
    for (const caseId of [bench.ids.id(), 'no-uuid']) {
      await expect(store.runs.open({ ...request, caseId })).rejects.toMatchObject({
        reasonCode: 'unknown_case',
      });
    }
  });
});

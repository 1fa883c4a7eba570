import { moves, type Lease } from '@casefile/contracts';
import { aClaimRequest } from '@casefile/contracts/testing';
import { testRecord } from '../testing/test-record.js';
import { advanceTo, aVerdict } from '../testing/store-bench.js';

const at = testRecord();

describe('commit', () => {
  it('R1 appends and hands on in one step, and says so', async () => {
    const { bench, store } = at();
    const { runId, caseId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const events = [{ type: 'brief.noted', data: { language: 'en' } }];
    const { nudges } = await bench.commit(lease, advanceTo('collect'), { events });
    expect(nudges).toEqual([
      { kind: 'stage', runId, unit: '', stage: 'collect', round: 1, lane: 'live', nudge: 2 },
    ]);
    const run = (await store.record.getCase(caseId))!.runs[0]!;
    expect(run).toMatchObject({ status: 'due', stage: 'collect', round: 1, verdict: null });
    expect(run.artifacts).toMatchObject([
      { artifact: 'brief', unit: '', round: 1, body: { text: 'for collect' } },
    ]);
    const trace = run.trace.slice(-2);
    expect(trace.map((event) => event.type)).toEqual(['brief.noted', 'stage.completed']);
    expect(trace[1]?.data).toMatchObject({ stage: 'triage', round: 1, unit: '', artifact: 'brief' });
  });

  it('refuses the same commit a second time and writes nothing', async () => {
    const { bench, store } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    await bench.advance(lease, 'collect');
    const before = await bench.events();
    expect(await store.units.commit(bench.commitRequest(lease, advanceTo('collect')))).toEqual({
      kind: 'stale',
    });
    expect(await bench.events()).toEqual(before);
  });

  it('commits each of a crowd by itself: the stale ones fail alone', async () => {
    const { bench, store } = at();
    const runs = await Promise.all(Array.from({ length: 30 }, () => bench.accept()));
    const leases = await Promise.all(runs.map(async ({ runId }) => (await bench.claim(runId)).lease));
    const sent = leases.map((lease, i) => (i % 3 === 0 ? { ...lease, epoch: lease.epoch + 1 } : lease));
    const results = await Promise.all(
      sent.map((lease) => store.units.commit(bench.commitRequest(lease, advanceTo('collect')))),
    );
    results.forEach((result, i) => {
      expect(result.kind).toBe(i % 3 === 0 ? 'stale' : 'committed');
      if (result.kind === 'committed')
        expect(result.nudges).toMatchObject([{ runId: runs[i]!.runId, stage: 'collect' }]);
    });
  });

  it('accepts the good ones of a crowd with one in it that no store can write', async () => {
    const { bench, store } = at();
    const runs = await Promise.all(Array.from({ length: 6 }, () => bench.accept()));
    const leases = await Promise.all(runs.map(async ({ runId }) => (await bench.claim(runId)).lease));
    const results = await Promise.allSettled(
      leases.map((lease, i) => {
        // There is no next stage to claim if the unit waits for others.
        const bad = advanceTo('collect', { units: ['u1'], joinStage: 'decide' });
        const request = bench.commitRequest(lease, i === 2 ? bad : advanceTo('collect'));
        return store.units.commit(i === 2 ? { ...request, claimForMs: 6_000 } : request);
      }),
    );
    expect(results.map((result) => result.status)).toEqual(
      leases.map((_lease, i) => (i === 2 ? 'rejected' : 'fulfilled')),
    );
  });

  it('R2 decides a run once: verdict, case, delivery, event', async () => {
    const { bench, store } = at();
    const { runId, caseId } = await bench.dueAt('decide');
    const { lease } = await bench.claim(runId, { stage: 'decide' });
    const change = (at: Lease) =>
      moves.decideRun(at, {
        artifact: { name: 'verdict', body: aVerdict() },
        deliveryId: 'delivery-1',
      });
    const request = bench.commitRequest(lease, change);
    const results = await Promise.all([
      store.units.commit(request),
      store.units.commit(request),
      at().other.units.commit(request),
    ]);
    expect(results.map((result) => result.kind).sort()).toEqual(['committed', 'stale', 'stale']);
    const kept = (await store.record.getCase(caseId))!;
    expect(kept.status).toBe('decided');
    expect(kept.runs[0]).toMatchObject({
      status: 'decided',
      stage: null,
      verdict: aVerdict(),
      decidedAt: expect.any(String),
    });
    const events = (await bench.events()).filter((event) => event.type === 'verdict.decided');
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ caseId, runId });
    expect(events[0]?.data).toMatchObject({
      disposition: 'act',
      action: 'act',
      confidence: 0.9,
      degraded: false,
    });
    expect(await store.deliveries.pending(5, 0, ['scam-verdict'])).toHaveLength(1);
    expect(await store.units.claim(aClaimRequest(runId, { stage: 'decide' }))).toMatchObject({
      reason: 'moved-on',
      nudges: [],
    });
  });

  it('decides many runs at once, two of one case among them', async () => {
    const { bench, store } = at();
    const runs = await Promise.all(Array.from({ length: 10 }, () => bench.accept()));
    await Promise.all(runs.map(({ runId }) => bench.decide(runId)));
    const { items } = await store.record.listCases({ limit: 20, status: 'decided', action: 'act' });
    expect(items).toHaveLength(10);
  });

  it('decides without a delivery where the lane has no outward effect', async () => {
    const { bench, store } = at();
    const { runId } = await bench.accept({ lane: 'shadow' });
    await bench.decide(runId, { deliveryId: null });
    expect(await store.deliveries.pending(5, 0, ['scam-verdict'])).toEqual([]);
    expect(await store.deliveries.of(runId)).toBeNull();
  });

  it('S1-26 keeps the order of stages that ended under one lease and within one tick of the clock', async () => {
    const { bench, store } = at();
    const { runId, caseId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const names = ['review', 'report', 'draft'] as const;
    const earlier = names.map((name, n) => ({
      stage: `stage-${n}`,
      move: advanceTo(`stage-${n + 1}`, { artifact: { name, body: {} } })({
        ...lease,
        stage: `stage-${n}`,
      }),
      inlineToolCalls: [],
      events: [],
      agoMs: 0,
    }));
    await bench.commit(lease, advanceTo('collect'), { earlier });
    const run = (await store.record.getCase(caseId))!.runs[0]!;
    expect(run.artifacts.map(({ artifact }) => artifact)).toEqual([...names, 'brief']);
  });

  it('opens a new round at an earlier stage', async () => {
    const { bench } = at();
    const { runId } = await bench.dueAt('critique');
    const { lease } = await bench.claim(runId, { stage: 'critique' });
    const artifact = { name: 'review' as const, body: {} };
    const { nudges } = await bench.commit(
      lease,
      advanceTo('reason', { artifact, next: { stage: 'reason', round: 2 } }),
    );
    expect(nudges).toMatchObject([{ stage: 'reason', round: 2 }]);
    await bench.claim(runId, { stage: 'reason', round: 2 });
  });

  it('appends an artifact once a round and leaves the stage as it was when it is there', async () => {
    const { bench, store } = at();
    const { runId } = await bench.dueAt('collect');
    const { lease } = await bench.claim(runId, { stage: 'collect' });
    const again = bench.commitRequest(lease, advanceTo('reason'));
    await expect(store.units.commit(again)).rejects.toMatchObject({ reasonCode: 'artifact_exists' });
    const artifact = { name: 'evidence' as const, body: { items: [] } };
    expect((await bench.commit(lease, advanceTo('reason', { artifact }))).nudges).toHaveLength(1);
  });

  it('tries later, not counted: no nudge, no claim before its time', async () => {
    const { bench, store, passTime } = at();
    const { runId, caseId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const { nudges } = await bench.commit(lease, (at: Lease) =>
      moves.postponeStep(at, {
        delayMs: 30_000,
        reasonCode: 'no_budget',
      }),
    );
    expect(nudges).toEqual([]);
    expect(await store.units.claim(aClaimRequest(runId))).toEqual({
      kind: 'refused',
      reason: 'suspended',
      nudges: [],
    });
    expect((await store.record.getCase(caseId))!.runs[0]).toMatchObject({
      status: 'due',
      reasonCode: 'no_budget',
    });
    expect((await store.units.allDue(null, 10)).candidates).toEqual([]);
    expect(await store.units.sweep(10)).toEqual([]);
    await passTime(30_001);
    expect(await store.units.sweep(10)).toMatchObject([{ nudge: { runId, stage: 'triage' } }]);
    const work = await bench.claim(runId);
    expect(work).toMatchObject({ failures: 0, crashes: 0, waitOver: false });
  });

  it('counts failures that are tried again, until the unit continues', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.accept();
    for (const failures of [0, 1, 2]) {
      const work = await bench.claim(runId);
      expect(work.failures).toBe(failures);
      const why = { reasonCode: 'broke', message: 'it broke' };
      const { nudges } = await bench.commit(work.lease, (at: Lease) =>
        moves.failStep(at, { ...why, retryInMs: 600_000 }),
      );
      expect(nudges).toEqual([]);
      expect(await store.units.claim(aClaimRequest(runId))).toMatchObject({ reason: 'suspended' });
      await passTime(600_001);
    }
    const { lease } = await bench.claim(runId);
    await bench.advance(lease, 'collect');
    expect((await bench.claim(runId, { stage: 'collect' })).failures).toBe(0);
  });

  it('stops a run for good, with its reason', async () => {
    const { bench, store, passTime } = at();
    const { runId, caseId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    await bench.commit(lease, (at: Lease) =>
      moves.stopRun(at, { reasonCode: 'no_text', message: 'nothing to read' }),
    );
    const [run] = (await store.record.getCase(caseId))!.runs;
    expect(run).toMatchObject({
      status: 'stopped',
      stage: 'triage',
      reasonCode: 'no_text',
      message: 'nothing to read',
    });
    expect((await bench.eventTypes()).at(-1)).toBe('run.stopped');
    await passTime(3_600_000);
    expect(await store.units.sweep(10)).toEqual([]);
    expect(await store.units.claim(aClaimRequest(runId))).toMatchObject({ reason: 'moved-on', nudges: [] });
    expect(await store.runs.backlog()).toBe(0);
  });

  it('R15 quarantines by a failure without a retry, and continues once however often it is redriven', async () => {
    const { bench, store } = at();
    const { runId, caseId } = await bench.dueAt('reason');
    const { lease } = await bench.claim(runId, { stage: 'reason' });
    await bench.commit(lease, (at: Lease) =>
      moves.failStep(at, {
        reasonCode: 'bad_shape',
        message: 'not a draft',
        retryInMs: null,
      }),
    );
    expect((await store.deadLetters.find({ limit: 5 })).items).toMatchObject([
      { kind: 'run', runId, caseId, reasonCode: 'bad_shape', message: 'not a draft' },
    ]);
    expect((await bench.eventTypes()).at(-1)).toBe('run.quarantined');
    const driven = [
      (await store.deadLetters.redrive([runId, bench.ids.id(), 'x'])).nudges,
      (await store.deadLetters.redrive([runId])).nudges,
    ];
    expect(driven[0]).toMatchObject([{ runId, stage: 'reason', round: 1 }]);
    expect(driven[1]).toEqual([]);
    expect((await bench.eventTypes()).filter((type) => type === 'run.redriven')).toHaveLength(1);
    expect((await store.deadLetters.find({ limit: 5 })).items).toEqual([]);
    const work = await bench.claim(runId, { stage: 'reason' });
    expect(work).toMatchObject({ failures: 0, crashes: 0 });
    expect((await store.record.getCase(caseId))!.runs[0]).toMatchObject({
      status: 'running',
      reasonCode: null,
    });
  });

  it('keeps evidence of odd shapes, and items that come twice', async () => {
    const { bench, store } = at();
    const { runId, caseId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const item = {
      id: 'E1',
      toolName: 't',
      entityType: 'url',
      entityValue: 'u',
      result: null,
      success: false,
    };
    const whole = {
      ...item,
      source: 's',
      at: '2026-01-05T10:00:00Z',
      durationMs: 1,
      reason: 'timeout\u0000',
    };
    const body = { items: [whole, whole, { ...whole, id: 'E2' }, { odd: true }] };
    await bench.commit(lease, advanceTo('reason', { artifact: { name: 'evidence', body } }));
    expect((await store.record.getCase(caseId))!.runs[0]!.artifacts[0]!.body['items']).toHaveLength(4);
  });
});

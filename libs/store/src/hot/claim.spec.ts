import { moves, type Lease } from '@casefile/contracts';
import { aClaimRequest } from '@casefile/contracts/testing';
import { testRecord } from '../testing/test-record.js';
import { advanceTo, aResult } from '../testing/store-bench.js';

const LEASE_MS = 6_000;
const HOUR_MS = 3_600_000;

const at = testRecord();

describe('claim', () => {
  it('gives a due unit to one of many who ask at once', async () => {
    const { bench, store, other } = at();
    const { runId } = await bench.accept();
    const asked = Array.from({ length: 20 }, (_, i) =>
      (i % 2 ? store : other).units.claim(aClaimRequest(runId)),
    );
    const results = await Promise.all(asked);
    expect(results.filter((result) => result.kind === 'claimed')).toHaveLength(1);
    expect(results.filter((result) => result.kind === 'refused' && result.reason === 'leased')).toHaveLength(
      19,
    );
  });

  it('refuses a run or a unit that is not there', async () => {
    const { bench, store } = at();
    const { runId } = await bench.accept();
    for (const request of [{ runId: bench.ids.id() }, { runId: 'x' }, { runId, unit: 'u1' }]) {
      const result = await store.units.claim({ ...aClaimRequest(runId), ...request });
      expect(result).toEqual({ kind: 'refused', reason: 'unknown', nudges: [] });
    }
  });

  it('refuses a stage that was left and wakes what is due now, under the same number', async () => {
    const { bench, store } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const { nudges } = await bench.advance(lease, 'collect');
    expect(await store.units.claim(aClaimRequest(runId))).toEqual({
      kind: 'refused',
      reason: 'moved-on',
      nudges,
    });
    expect(nudges).toMatchObject([{ stage: 'collect', round: 1, nudge: 2 }]);
    await bench.claim(runId, { stage: 'collect' });
    expect(await store.units.claim(aClaimRequest(runId))).toEqual({
      kind: 'refused',
      reason: 'moved-on',
      nudges: [],
    });
  });

  it('hands out what the stage reads: the newest artifacts, and those of rounds before', async () => {
    const { bench } = at();
    const { runId } = await bench.accept();
    const steps = [
      { stage: 'triage', name: 'brief', to: 'reason', round: 1, next: 1 },
      { stage: 'reason', name: 'draft', to: 'critique', round: 1, next: 1 },
      { stage: 'critique', name: 'review', to: 'reason', round: 1, next: 2 },
      { stage: 'reason', name: 'draft', to: 'critique', round: 2, next: 2 },
      { stage: 'critique', name: 'review', to: 'reason', round: 2, next: 3 },
    ] as const;
    for (const { stage, name, to, round, next } of steps) {
      const { lease } = await bench.claim(runId, { stage, round });
      const artifact = { name, body: { of: `${name} ${round}` } };
      await bench.commit(lease, advanceTo(to, { artifact, next: { stage: to, round: next } }));
    }
    const reads = ['brief', 'draft', 'evidence'] as const;
    const work = await bench.claim(runId, { stage: 'reason', round: 3, reads, readsPrevious: ['review'] });
    expect(work.artifacts).toEqual({ brief: { of: 'brief 1' }, draft: { of: 'draft 2' } });
    expect(work.previous).toEqual({ review: { of: 'review 2' } });
    expect(work.alert).toBeNull();
  });

  it('R5 raises the epoch when a lease ran out, and refuses everything of the worker that came back', async () => {
    const { bench, store, passTime } = at();
    const { runId, caseId } = await bench.accept();
    const zombie = (await bench.claim(runId)).lease;
    await passTime(LEASE_MS + 1);
    const work = await bench.claim(runId);
    expect(work.lease.epoch).toBeGreaterThan(zombie.epoch);
    expect(await store.units.renew([zombie, work.lease], LEASE_MS)).toEqual([zombie]);
    expect(await store.interactions.intend(bench.intent(zombie))).toBe(false);
    const change = (at: Lease) =>
      moves.decideRun(at, { artifact: { name: 'verdict', body: {} }, deliveryId: 'd' });
    expect(await store.units.commit(bench.commitRequest(zombie, change))).toEqual({ kind: 'stale' });
    expect(await store.units.release(zombie)).toEqual([]);
    const [run] = (await store.record.getCase(caseId))!.runs;
    expect(run).toMatchObject({ status: 'running', artifacts: [], interactions: [] });
    expect((await bench.advance(work.lease, 'collect')).kind).toBe('committed');
  });

  it('keeps a lease that is renewed, and lets its holder write after it ran out if no worker claimed it', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.accept();
    const leaseMs = 3_600_000;
    const { lease } = await bench.claim(runId, { leaseMs });
    await passTime(3_000_000);
    expect(await store.units.renew([lease], leaseMs)).toEqual([]);
    await passTime(3_000_000);
    expect(await store.units.claim(aClaimRequest(runId))).toMatchObject({
      kind: 'refused',
      reason: 'leased',
    });
    await passTime(600_001);
    expect((await bench.advance(lease, 'collect')).kind).toBe('committed');
  });

  it('R14 counts crashes of one step and quarantines the run at the third within the window', async () => {
    const { bench, store, passTime } = at();
    const { runId, caseId } = await bench.accept();
    expect((await bench.claim(runId)).crashes).toBe(0);
    for (const crashes of [1, 2]) {
      await passTime(LEASE_MS + 1);
      expect((await bench.claim(runId)).crashes).toBe(crashes);
    }
    await passTime(LEASE_MS + 1);
    const last = await store.units.claim(aClaimRequest(runId));
    expect(last).toEqual({ kind: 'refused', reason: 'quarantined', nudges: [] });
    expect((await store.record.getCase(caseId))!.runs[0]).toMatchObject({
      status: 'quarantined',
      stage: 'triage',
      reasonCode: 'crashed_repeatedly',
      units: [{ unit: '', status: 'quarantined', reasonCode: 'crashed_repeatedly' }],
    });
    expect((await bench.eventTypes()).at(-1)).toBe('run.quarantined');
    expect(await store.units.claim(aClaimRequest(runId))).toMatchObject({ reason: 'quarantined' });
    expect(await store.units.sweep(10)).toEqual([]);
    expect((await store.deadLetters.find({ limit: 5 })).items).toMatchObject([
      { kind: 'run', id: runId, runId, caseId, reasonCode: 'crashed_repeatedly' },
    ]);
  });

  it('R14 forgets crashes that are older than the window, and those of the step before', async () => {
    const { bench, passTime } = at();
    const { runId } = await bench.accept();
    await bench.claim(runId);
    await passTime(LEASE_MS + 1);
    expect((await bench.claim(runId)).crashes).toBe(1);
    await passTime(72 * HOUR_MS + 1);
    const work = await bench.claim(runId);
    expect(work.crashes).toBe(1);
    await bench.advance(work.lease, 'collect');
    expect((await bench.claim(runId, { stage: 'collect' })).crashes).toBe(0);
  });

  it('R14 S4-06 forgets the crashes of a turn once it has come as far as its wait', async () => {
    const { bench, passTime } = at();
    const { runId } = await bench.accept();
    await bench.claim(runId);
    await passTime(LEASE_MS + 1);
    const work = await bench.claim(runId);
    expect(work.crashes).toBe(1);
    const [call] = await bench.suspend(work.lease, ['rdap']);
    await bench.settle(call!);
    expect((await bench.claim(runId)).crashes).toBe(0);
  });

  it('gives a unit back unused, without counting a crash', async () => {
    const { bench, store } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    expect(await store.units.release(lease)).toMatchObject([
      { kind: 'stage', runId, stage: 'triage', nudge: 2 },
    ]);
    const work = await bench.claim(runId);
    expect(work.crashes).toBe(0);
    expect(work.lease.epoch).toBeGreaterThan(lease.epoch);
  });

  it('R14 gives a unit back with a pause: not due before it is over, and its crashes stay', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.accept();
    await bench.claim(runId);
    await passTime(LEASE_MS + 1);
    const { lease, crashes } = await bench.claim(runId);
    expect(crashes).toBe(1);
    expect(await store.units.release(lease, 2 * HOUR_MS)).toEqual([]);
    await passTime(HOUR_MS);
    await expect(bench.claim(runId)).rejects.toThrow('suspended');
    await passTime(HOUR_MS + 1);
    expect(await bench.claim(runId)).toMatchObject({ crashes: 1 });
  });
});

describe('journal', () => {
  it('S2-20 keeps every fact of a model call, with its reasoning', async () => {
    const { bench, store } = at();
    const { runId, caseId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const intent = bench.intent(lease, { step: 2, attempt: 3 });
    expect(await store.interactions.intend(intent)).toBe(true);
    const result = aResult(intent.interaction.id);
    await bench.commit(lease, advanceTo('collect'), { results: [result] });
    const [kept] = (await store.record.getCase(caseId))!.runs[0]!.interactions;
    const unknown = { route: null, reasoningKind: null, providerState: null };
    const more = { ...unknown, toolCallId: null, readFrom: null };
    const place = { runId, unit: '', stage: 'triage', round: 1 };
    expect(kept).toEqual({
      ...place,
      ...intent.interaction,
      ...result,
      ...more,
      createdAt: expect.any(String),
    });
  });

  it('R3 keeps the intent before the call: a crash marks it ambiguous, and the answer before it is read', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const first = bench.intent(lease);
    await store.interactions.intend(first);
    const second = bench.intent(lease, { step: 2 }, [aResult(first.interaction.id)]);
    expect(await store.interactions.intend(second)).toBe(true);
    await passTime(LEASE_MS + 1);
    const { interactions } = await bench.claim(runId);
    expect(interactions.map(({ step, state, content }) => ({ step, state, content }))).toEqual([
      { step: 1, state: 'completed', content: 'yes' },
      { step: 2, state: 'ambiguous', content: null },
    ]);
    const events = (await bench.events()).filter((event) => event.type.startsWith('interaction.'));
    expect(events.map((event) => [event.type, event.data['step'], event.data['state']])).toEqual([
      ['interaction.started', 1, undefined],
      ['interaction.completed', 1, 'completed'],
      ['interaction.started', 2, undefined],
      ['interaction.completed', 2, 'ambiguous'],
    ]);
  });

  it('R3 marks a call left open as ambiguous after an ordered release as well', async () => {
    const { bench, store } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    await store.interactions.intend(bench.intent(lease));
    await store.units.release(lease);
    const work = await bench.claim(runId);
    expect(work.interactions).toMatchObject([{ state: 'ambiguous' }]);
    expect(work.crashes).toBe(0);
  });

  it('takes an intent again whose answer was lost, and refuses another one at its place', async () => {
    const { bench, store } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const intent = bench.intent(lease);
    expect(await store.interactions.intend(intent)).toBe(true);
    expect(await store.interactions.intend(intent)).toBe(true);
    await expect(store.interactions.intend(bench.intent(lease))).rejects.toMatchObject({
      reasonCode: 'interaction_exists',
    });
    expect(await store.interactions.intend(bench.intent(lease, { attempt: 2 }))).toBe(true);
  });

  it('S2-22 keeps an answer with characters no database has, and cuts one that is too large', async () => {
    const { bench, store } = at();
    const { runId, caseId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const intent = bench.intent(lease);
    await store.interactions.intend(intent);
    const response = { body: 'x'.repeat(1_100_000) };
    const result = aResult(intent.interaction.id, {
      response,
      content: '\u0000',
      reasoningContent: 'a\ud800',
    });
    await bench.commit(lease, advanceTo('collect'), { results: [result] });
    const [kept] = (await store.record.getCase(caseId))!.runs[0]!.interactions;
    expect(kept).toMatchObject({
      content: '␀',
      reasoningContent: 'a\ufffd',
      response: { cut: true, characters: 1_100_011 },
    });
  });

  it('tells how a call ended: step, model, cost, and whether it has reasoning', async () => {
    const { bench, store } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const intent = bench.intent(lease);
    await store.interactions.intend(intent);
    await bench.commit(lease, advanceTo('collect'), { results: [aResult(intent.interaction.id)] });
    const events = (await bench.events()).find((event) => event.type === 'interaction.completed');
    expect(events?.data).toMatchObject({
      interactionId: intent.interaction.id,
      stage: 'triage',
      round: 1,
      unit: '',
      step: 1,
      model: 'm-1-2026',
      state: 'completed',
      hasReasoning: true,
      costUsd: 0.0012,
    });
  });
});

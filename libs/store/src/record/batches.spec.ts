import type { BatchAsk, JsonObject, VerdictEffect } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { testRecord } from '../testing/test-record.js';
import { batchBench } from '../testing/batch-bench.js';
import { aVerdict } from '../testing/store-bench.js';

const degraded = (action?: string): JsonObject => ({ ...aVerdict(action), degraded: true });

const at = testRecord();

const { decided, aBatch, judge, compare, apply } = batchBench(at);

describe('batches', () => {
  it('S4-62 pick cases by their facts, by id, by data set, and those degraded since a time', async () => {
    const { bench, store } = at();
    const [a, b] = (await decided(bench, ['block', 'warn'])) as [string, string];
    const [c] = (await decided(bench, ['warn'], degraded)) as [string];
    const { caseId: measured, runId } = await bench.accept({ dataset: 'set' });
    await bench.decide(runId, { deliveryId: null });
    await bench.accept();
    const picked = async (ask: BatchAsk) =>
      (await store.batches.pick(ask)).members.map(({ caseId }) => caseId);
    expect(await picked({ filter: {} })).toEqual([a, b, c]);
    expect(await picked({ filter: { action: 'warn' } })).toEqual([b, c]);
    expect(await picked({ filter: { degraded: false } })).toEqual([a, b]);
    expect(await picked({ filter: { playbook: 'other' } })).toEqual([]);
    expect(await picked({ dataset: 'set' })).toEqual([measured]);
    expect(await picked({ caseIds: [b, measured] })).toEqual([b, measured]);
    expect(await picked({ degradedSince: '2020-01-01T00:00:00Z' })).toEqual([c]);
    expect(await picked({ degradedSince: '2099-01-01T00:00:00Z' })).toEqual([]);
    expect(await store.batches.degradedSince('2020-01-01T00:00:00Z')).toBe(1);
    await expect(picked({ degradedSince: 'yesterday' })).rejects.toMatchObject({
      reasonCode: 'invalid_input',
    });
  });

  it('S4-62 are open up to a number, also when several come at once, and one that was discarded makes room', async () => {
    const { bench, store } = at();
    await decided(bench, ['x']);
    const { members, estimateUsd } = await store.batches.pick({ filter: {} });
    const create = () => {
      const id = bench.ids.id();
      const withRuns = members.map((member) => ({ ...member, runId: bench.ids.id() }));
      const batch = { id, ask: { filter: {} }, estimateUsd, members: withRuns, mostOpen: 3 };
      return store.batches.create(batch).then((made) => (made ? id : null));
    };
    const made = await Promise.all(Array.from({ length: 6 }, create));
    const ids = made.filter((id) => id !== null);
    expect(ids).toHaveLength(3);
    expect(await create()).toBeNull();
    await store.batches.act(ids[0]!, 'discard');
    expect(await create()).not.toBeNull();
  });

  it('S4-62 keep of the ids of their cases the first hundred', async () => {
    const { bench, store } = at();
    const [caseId] = (await decided(bench, ['x'])) as [string];
    const others = Array.from({ length: 200 }, () => bench.ids.id());
    const id = await aBatch({ caseIds: [caseId, ...others] });
    const batch = await store.batches.get(id);
    expect([batch?.ask.caseIds?.length, batch?.total]).toEqual([100, 1]);
  });

  it('S4-62 know what of them waits, is open and has ended, which is flipped, and when all is done', async () => {
    const { bench, store } = at();
    const [a, b, c] = (await decided(bench, ['x', 'x', 'x'])) as [string, string, string];
    const id = await aBatch({ filter: {}, ratePerSecond: 5 });
    expect(await store.batches.get(id)).toMatchObject({
      state: 'running',
      total: 3,
      done: 0,
      open: 0,
      etaSeconds: null,
    });
    await judge(id, ['x', 'y']);
    await judge(id, [null]);
    expect(await store.batches.get(id)).toMatchObject({
      state: 'running',
      done: 2,
      open: 1,
      flipped: 1,
      failed: 0,
    });
    expect(await store.batches.atWork()).toMatchObject([{ id, waiting: 0, open: 1, done: 2 }]);
    const { members, total } = await store.batches.members(id, 10, 0);
    expect(total).toBe(3);
    expect(members.map(({ caseId, flipped, was, now }) => [caseId, flipped, was.action, now.action])).toEqual(
      [
        [b, true, 'x', 'y'],
        [a, false, 'x', 'x'],
        [c, null, 'x', null],
      ],
    );
    await bench.decide(members[2]!.runId, { body: aVerdict('x'), deliveryId: null });
    expect(await store.batches.atWork()).toMatchObject([{ id, done: 3, waiting: 0, open: 0 }]);
    await compare(id);
    expect(await store.batches.atWork()).toEqual([]);
    expect(await store.batches.get(id)).toMatchObject({
      state: 'done',
      done: 3,
      etaSeconds: 0,
      doneAt: expect.any(String),
    });
    expect((await store.batches.list(5)).map((batch) => batch.id)).toEqual([id]);
  });

  it('S4-62 hand out nothing before they are applied, and then each verdict once, with what it replaces', async () => {
    const { bench, store } = at();
    const [a] = (await decided(bench, ['x', 'x'])) as [string];
    const before = (await store.deliveries.pending(10, 0, ['scam-verdict'])).map(
      ({ deliveryId }) => deliveryId,
    );
    await store.deliveries.markDelivered(before);
    const id = await aBatch({ filter: {} });
    const verdicts = async () => (await store.record.pipelineFigures()).verdicts;
    const figures = await verdicts();
    await judge(id, ['y', 'z']);
    expect(await verdicts()).toEqual(figures);
    expect(await store.deliveries.pending(10, 0, ['scam-verdict'])).toEqual([]);
    const base = (await store.record.getCase(a))!.leadingRunId!;
    expect((await store.record.listCases({ limit: 5, action: 'y' })).items).toEqual([]);
    expect(await store.batches.act(id, 'apply')).toBe(true);
    await apply(id, 1);
    expect(await store.batches.get(id)).toMatchObject({ state: 'applying', applied: 1 });
    await apply(id, 1);
    await apply(id, 1);
    expect(await store.batches.get(id)).toMatchObject({ state: 'applied', applied: 2, overtaken: 0 });
    const shown = (await store.record.getCase(a))!;
    const applied = shown.runs.at(-1)!;
    expect(shown).toMatchObject({ status: 'decided', leadingRunId: applied.id });
    expect((await store.record.listCases({ limit: 5, action: 'y' })).items).toMatchObject([
      { id: a, run: { id: applied.id } },
    ]);
    const out = await store.deliveries.pending(10, 0, ['scam-verdict']);
    expect(out).toHaveLength(2);
    expect(out.find(({ caseId }) => caseId === a)).toMatchObject({
      deliveryId: applied.id,
      runId: applied.id,
      replaces: base,
      verdict: { outcome: { action: 'y' } },
    });
    expect((await bench.eventTypes()).filter((type) => type === 'verdict.applied')).toHaveLength(2);
  });

  it('S4-62 S3-42 open what their verdicts open when they are applied, once for each message', async () => {
    const { bench, store } = at();
    const session = (confidence: number): VerdictEffect => ({
      kind: 'session',
      sessionId: null,
      conversation: null,
      action: 'engage',
      stage: 'hook',
      category: null,
      confidence,
      redFlags: [],
    });
    const silent = await bench.accept();
    await bench.decide(silent.runId, { body: aVerdict('x') });
    const engaged = await bench.accept();
    await bench.decide(engaged.runId, { body: aVerdict('x'), effects: [session(0.5)] });
    const sessions = async () =>
      (await store.engagements.find({ limit: 10 })).engagements
        .map(({ id, confidence, messages }) => [id, confidence, messages])
        .sort();
    const before = [[engaged.runId, 0.5, 1]];
    const id = await aBatch({ filter: {} });
    await judge(id, ['y', 'y']);
    await store.batches.act(id, 'apply');
    expect(await sessions()).toEqual(before);
    await apply(id, 10, [session(0.9)]);
    await apply(id, 10, [session(0.9)]);
    const { leadingRunId } = (await store.record.getCase(silent.caseId))!;
    const after = [
      [engaged.runId, 0.9, 1],
      [leadingRunId, 0.9, 1],
    ].sort();
    expect(await sessions()).toEqual(after);
    // When the case is judged again once more, the message already has its session.
    const again = await aBatch({ filter: {} });
    await judge(again, ['z', 'z']);
    await store.batches.act(again, 'apply');
    await apply(again, 10, [session(0.7)]);
    expect((await sessions()).map(([of, confidence]) => [of, confidence])).toEqual(
      after.map(([of]) => [of, 0.7]),
    );
  });

  it('S4-62 leave a case its verdict that has a newer one, or whose run ended without one', async () => {
    const { bench, store } = at();
    const [a, b] = (await decided(bench, ['x', 'x'])) as [string, string];
    const id = await aBatch({ filter: {} });
    await judge(id, ['y']);
    const [{ position } = { position: -1 }] = await store.batches.waitingMembers(id, 5);
    await store.batches.markOpened(id, [], [{ position, message: 'its strategy is gone' }]);
    await store.batches.atWork();
    const newer = bench.ids.id();
    await store.runs.open({
      caseId: a,
      runId: newer,
      lane: 'live',
      settings: aRunSettings(),
      firstStage: 'triage',
    });
    await store.batches.act(id, 'apply');
    await apply(id, 10);
    expect(await store.batches.get(id)).toMatchObject({
      state: 'applied',
      applied: 0,
      overtaken: 1,
      failed: 1,
      flipped: 1,
    });
    expect(await store.record.getCase(a)).toMatchObject({ status: 'open', leadingRunId: newer });
    expect((await store.record.getCase(b))?.runs).toHaveLength(1);
    expect((await store.batches.members(id, 1, 0)).members[0]).toMatchObject({
      caseId: a,
      state: 'overtaken',
    });
  });

  it('S4-62 are paused, resumed, discarded, each only from where it can be', async () => {
    const { bench, store } = at();
    await decided(bench, ['x']);
    const id = await aBatch({ filter: {}, budgetUsd: 1 });
    expect(await store.batches.act(id, 'apply')).toBe(false);
    expect(await store.batches.act(id, 'resume')).toBe(false);
    await store.batches.hold({ id, budgetUsd: 1 }, 'its budget is used up');
    expect(await store.batches.get(id)).toMatchObject({
      state: 'paused',
      reason: 'its budget is used up',
      etaSeconds: null,
    });
    expect(await store.batches.atWork()).toEqual([]);
    expect(await store.batches.act(id, 'resume', { budgetUsd: 3 })).toBe(true);
    expect(await store.batches.get(id)).toMatchObject({
      state: 'running',
      reason: null,
      ask: { budgetUsd: 3 },
    });
    // A driver that read the batch before its budget was raised.
    await store.batches.hold({ id, budgetUsd: 1 }, 'its budget is used up');
    expect(await store.batches.get(id)).toMatchObject({ state: 'running', reason: null });
    expect(await store.batches.act(id, 'pause')).toBe(true);
    expect(await store.batches.act(id, 'discard')).toBe(true);
    expect(await store.batches.act(id, 'resume')).toBe(false);
    expect(await store.batches.get(id)).toMatchObject({ state: 'discarded', endedAt: expect.any(String) });
    expect(await store.batches.act(bench.ids.id(), 'pause')).toBeNull();
    expect(await store.batches.act('no-uuid', 'pause')).toBeNull();
    expect(await store.batches.get('no-uuid')).toBeNull();
  });

  it('S4-62 know what a run needs to be made again', async () => {
    const { bench, store } = at();
    const [caseId] = (await decided(bench, ['x'])) as [string];
    const { leadingRunId } = (await store.record.getCase(caseId))!;
    const base = await store.batches.runBase({ caseId });
    expect(base).toMatchObject({
      caseId,
      runId: leadingRunId,
      status: 'decided',
      playbook: 'scam-verdict',
    });
    expect(base?.alert).toEqual((await store.record.getCase(caseId))?.alerts[0]);
    expect(await store.batches.runBase({ caseId, runId: leadingRunId! })).toEqual(base);
    expect(await store.batches.runBase({ caseId, runId: bench.ids.id() })).toBeNull();
    expect(await store.batches.runBase({ caseId: 'no-uuid' })).toBeNull();
  });
});

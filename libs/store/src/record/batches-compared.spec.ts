import type { JsonObject } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { testRecord } from '../testing/test-record.js';
import { batchBench } from '../testing/batch-bench.js';
import { aVerdict } from '../testing/store-bench.js';

const at = testRecord();

const { decided, aBatch, judge, compare } = batchBench(at);

describe('cases of batches', () => {
  it('S4-62 S4-59 know which verdicts are as people said, before and now', async () => {
    const { bench, store } = at();
    const ids = await decided(bench, ['x', 'x', 'x', 'x']);
    const labels: JsonObject[] = [{ action: 'y' }, { action: 'x' }, { action: 'y' }, {}];
    for (const [i, caseId] of ids.entries()) {
      const { leadingRunId: runId } = (await store.record.getCase(caseId))!;
      const of = { id: bench.ids.id(), caseId, runId: runId!, agrees: false, by: 'ann', note: null };
      await store.feedback.give({ ...of, outcome: labels[i]!, at: '2026-01-05T10:00:00Z' });
    }
    const id = await aBatch({ filter: {} });
    await judge(id, ['y', 'y', 'x', 'y']);
    expect(await store.batches.get(id)).toMatchObject({ labelled: 3, rightBefore: 1, rightNow: 1 });
    const { members } = await store.batches.members(id, 10, 0);
    const of = new Map(members.map(({ caseId, rightBefore, rightNow }) => [caseId, [rightBefore, rightNow]]));
    expect(ids.map((caseId) => of.get(caseId))).toEqual([
      [false, true],
      [true, false],
      [false, false],
      [null, null],
    ]);
  });

  it('S4-59 go by the newest word of each person: one who repeats it counts once', async () => {
    const { bench, store } = at();
    const [caseId] = (await decided(bench, ['x'])) as [string];
    const { leadingRunId } = (await store.record.getCase(caseId))!;
    const say = (by: string, action: string, day: number) =>
      store.feedback.give({
        id: bench.ids.id(),
        caseId,
        runId: leadingRunId!,
        agrees: false,
        outcome: { action },
        by,
        note: null,
        at: `2026-01-0${day}T10:00:00Z`,
      });
    await say('ann', 'y', 1);
    await say('ann', 'x', 2);
    await say('bob', 'x', 3);
    for (const day of [4, 5, 6]) await say('eve', 'y', day);
    const id = await aBatch({ filter: {} });
    await judge(id, ['y']);
    expect(await store.batches.get(id)).toMatchObject({ labelled: 1, rightBefore: 1, rightNow: 0 });
  });

  it('S4-62 know which of those that were run twice come to something else by themselves', async () => {
    const { bench, store } = at();
    await decided(bench, ['x', 'x', 'x']);
    const { members, estimateUsd } = await store.batches.pick({ filter: {} });
    const id = bench.ids.id();
    const withRuns = members.map((member, i) => ({
      ...member,
      runId: bench.ids.id(),
      ...(i < 2 ? { twinRunId: bench.ids.id() } : {}),
    }));
    await store.batches.create({ id, ask: { filter: {} }, estimateUsd, members: withRuns });
    const waiting = await store.batches.waitingMembers(id, 3);
    expect(waiting.map(({ twinRunId }) => twinRunId)).toEqual([
      withRuns[0]!.twinRunId,
      withRuns[1]!.twinRunId,
      null,
    ]);
    const open = async (of: (typeof waiting)[number], runId: string, action: string) => {
      const { caseId, baseRunId } = of;
      const settings = aRunSettings({ outward: false });
      const request = { caseId, runId, over: baseRunId, leads: false, settings, firstStage: 'triage' };
      await store.runs.open({ ...request, lane: 'batch' });
      await bench.decide(runId, { body: aVerdict(action), deliveryId: null });
    };
    for (const of of waiting) await open(of, of.runId, 'x');
    await store.batches.markOpened(id, [0, 1, 2], []);
    await store.batches.atWork();
    // The batch waits for both runs.
    expect(await store.batches.get(id)).toMatchObject({ done: 1, twice: 0 });
    for (const [i, of] of waiting.slice(0, 2).entries()) await open(of, of.twinRunId!, ['x', 'y'][i]!);
    await store.batches.atWork();
    await compare(id);
    expect(await store.batches.get(id)).toMatchObject({
      state: 'done',
      done: 3,
      flipped: 0,
      twice: 2,
      unsteady: 1,
      identical: 3,
    });
  });
});

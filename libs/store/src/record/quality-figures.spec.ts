import type { JsonObject, QualityQuery } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';
import { aVerdict, type StoreBench } from '../testing/store-bench.js';

const at = testRecord();

const ALWAYS: QualityQuery = { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' };

const verdict = (over: JsonObject = {}): JsonObject => ({
  ...aVerdict(),
  citations: ['E1'],
  promptIds: ['kind/b@1', 'kind/a@2'],
  ...over,
});

async function decided(bench: StoreBench, body = verdict(), lane: 'live' | 'replay' = 'live') {
  const accepted = await bench.accept({ lane });
  await bench.decide(accepted.runId, { body });
  return accepted;
}

async function noteAll(): Promise<number> {
  const { store, settled } = at();
  await settled();
  let read = 0;
  for (let page = 3; page === 3; read += page) page = await store.qualityFigures.note(3, 0);
  return read;
}

describe('figures of verdicts', () => {
  it('S4-60 counts verdicts once, however often and in what pages events are read', async () => {
    const { bench, store, other } = at();
    for (let i = 0; i < 4; i += 1) await decided(bench);
    await decided(bench, verdict({ disposition: 'review', degraded: true }));
    expect(await noteAll()).toBeGreaterThan(5);
    expect(await noteAll()).toBe(0);
    await decided(bench);
    await at().settled();
    await Promise.all([store.qualityFigures.note(1_000, 0), other.qualityFigures.note(1_000, 0)]);
    const [all, ...more] = await store.qualityFigures.counts(ALWAYS);
    expect(more).toEqual([]);
    expect(all).toMatchObject({ group: null, verdicts: 6, labelled: 0, acts: 5, reviews: 1, degraded: 1 });
  });

  it('S4-60 leaves out runs made for comparison', async () => {
    const { bench, store } = at();
    await decided(bench, verdict(), 'replay');
    await noteAll();
    expect(await store.qualityFigures.counts(ALWAYS)).toEqual([]);
  });

  it('S4-60 joins what people said: the newest label of a verdict counts', async () => {
    const { bench, store } = at();
    const runs = [await decided(bench), await decided(bench), await decided(bench)];
    await noteAll();
    const label = (of: { caseId: string; runId: string }, agrees: boolean, hour: number, by: string) =>
      store.feedback.give({
        id: bench.ids.id(),
        caseId: of.caseId,
        runId: of.runId,
        agrees,
        outcome: {},
        by,
        note: null,
        at: `2026-01-05T${hour}:00:00.000Z`,
      });
    await label(runs[0]!, true, 10, 'ann');
    await label(runs[1]!, true, 10, 'ann');
    await label(runs[1]!, false, 11, 'bob');
    const [all] = await store.qualityFigures.counts(ALWAYS);
    expect(all).toMatchObject({ verdicts: 3, labelled: 2, right: 1, actsLabelled: 2, actsRight: 1 });
    expect(await store.qualityFigures.forecasts(ALWAYS)).toMatchObject([
      { prompts: 'kind/a@2,kind/b@1', labels: 2, right: 1 },
    ]);
    const day = (after: number) => new Date(Date.now() + after * 86_400_000).toISOString();
    const [earlier, recent] = ['2000-01-01T00:00:00.000Z', '2000-01-02T00:00:00.000Z'];
    const none = { earlierLabels: 0, earlierRight: 0, recentLabels: 0, recentRight: 0 };
    const { playbook } = all!;
    expect(await store.qualityFigures.periodLabels(earlier, recent)).toEqual([
      { ...none, playbook, recentLabels: 2, recentRight: 1 },
    ]);
    expect(await store.qualityFigures.periodLabels(earlier, day(1))).toEqual([
      { ...none, playbook, earlierLabels: 2, earlierRight: 1 },
    ]);
    expect(await store.qualityFigures.periodLabels(day(1), day(2))).toEqual([]);
  });

  it('S4-60 leaves agreements in bulk out of calibration, and counts them otherwise', async () => {
    const { bench, store } = at();
    const [read, unread] = [await decided(bench), await decided(bench)];
    await noteAll();
    for (const { caseId } of [read, unread])
      await store.reviews.act({
        actId: bench.ids.id(),
        act: 'agree',
        caseId,
        by: 'ann',
        note: null,
        outcome: {},
        part: null,
        assignee: null,
        until: null,
        bulk: caseId === unread.caseId,
        event: null,
        verdict: null,
        ids: { label: bench.ids.id(), delivery: bench.ids.id() },
        now: 0,
        sendAt: 0,
      });
    expect(await store.qualityFigures.forecasts(ALWAYS)).toMatchObject([{ labels: 1, right: 1 }]);
    expect(await store.qualityFigures.counts(ALWAYS)).toMatchObject([{ labelled: 2, right: 2 }]);
  });

  it('S4-59 draws a stable share of the verdicts that act or dismiss, and lists them on the desk', async () => {
    const { bench, store, settled } = at();
    for (let i = 0; i < 30; i += 1) await decided(bench);
    await decided(bench, verdict({ disposition: 'review' }));
    await settled();
    await store.qualityFigures.note(10_000, 0.3);
    const drawn = async () => {
      const now = Date.now();
      const query = { state: 'sampled', sort: 'oldest', limit: 100, now } as const;
      return (await store.reviews.list(query)).reviews.map(({ caseId }) => caseId);
    };
    const first = await drawn();
    expect(first.length).toBeGreaterThan(0);
    expect(first.length).toBeLessThan(25);
    await store.database.rows('delete from verdict_figures', []);
    await store.database.rows('delete from event_readers', []);
    await store.qualityFigures.note(10_000, 0.3);
    expect(await drawn()).toEqual(first);
    const [all] = await store.qualityFigures.counts(ALWAYS);
    expect(all).toMatchObject({ reviews: 1, reviewsLabelled: 0, sampledLabelled: 0 });
  });

  it('S4-60 groups by prompts, and by time', async () => {
    const { bench, store } = at();
    await decided(bench);
    await decided(bench, verdict({ promptIds: ['kind/a@3'] }));
    await decided(bench, verdict({ promptIds: ['kind/a@3'] }));
    await noteAll();
    const groups = await store.qualityFigures.counts({ ...ALWAYS, by: 'prompt' });
    expect(groups.map(({ group, verdicts }) => [group, verdicts])).toEqual([
      ['kind/a@3', 2],
      ['kind/a@2,kind/b@1', 1],
    ]);
    const days = await store.qualityFigures.series(ALWAYS, 'day');
    expect(days.reduce((sum, { verdicts }) => sum + verdicts, 0)).toBe(3);
    expect(days[0]?.at).toMatch(/T00:00:00\.000Z$/);
    expect(await store.qualityFigures.counts({ ...ALWAYS, playbook: 'other' })).toEqual([]);
    expect(await store.qualityFigures.counts({ ...ALWAYS, to: '2001-01-01T00:00:00.000Z' })).toEqual([]);
  });
});

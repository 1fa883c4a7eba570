import type { SeriesQuery } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';
import { aVerdict } from '../testing/store-bench.js';

const at = testRecord();
const HOUR_MS = 3_600_000;

const query = (over: Partial<SeriesQuery>): SeriesQuery => ({
  metric: 'verdicts',
  step: 'minute',
  from: new Date(Date.now() - 24 * HOUR_MS).toISOString(),
  to: new Date(Date.now() + HOUR_MS).toISOString(),
  ...over,
});
const total = async (over: Partial<SeriesQuery>) =>
  (await at().store.history.series(query(over))).reduce((sum, { value }) => sum + value, 0);

describe('the history of the pipeline', () => {
  it('S4-61 shows as many verdicts as a direct count, at every step and in every group', async () => {
    const { bench, store, settled } = at();
    for (let i = 0; i < 7; i += 1) {
      const { runId } = await bench.accept();
      const disposition = i < 5 ? 'act' : 'review';
      await bench.decide(runId, { body: { ...aVerdict(), promptIds: [], disposition } });
    }
    await settled();
    await store.qualityFigures.note(1_000, 0);
    const [direct] = await store.database.rows<{ n: number }>(
      `select count(*)::int as n from runs where status = 'decided'`,
    );
    for (const step of ['minute', 'hour', 'day'] as const) {
      expect(await total({ step })).toBe(direct?.n);
      expect(await total({ step, by: 'playbook' })).toBe(direct?.n);
    }
    const groups = new Map<string | null, number>();
    for (const { group, value } of await store.history.series(query({ by: 'disposition' })))
      groups.set(group, (groups.get(group) ?? 0) + value);
    expect(Object.fromEntries(groups)).toEqual({ act: 5, review: 2 });
    const [p95] = await store.history.series(query({ metric: 'latency_p95', step: 'day' }));
    expect(p95?.value).toBeGreaterThanOrEqual(0);
  });

  it('S4-61 keeps the highest depth and age of a minute, and adds depths over queues', async () => {
    const { history } = at().store;
    const depth = (queue: string, waiting: number, oldestMs: number | null) => ({ queue, waiting, oldestMs });
    await history.sample([depth('reason', 3, 900), depth('critique', 2, 400), depth('write', 0, null)]);
    await history.sample([depth('reason', 5, 100)]);
    await history.sample([]);
    await history.sum(HOUR_MS);
    await history.sum(HOUR_MS);
    const rows = await history.series(query({ metric: 'queue_depth', step: 'day', by: 'name' }));
    expect(rows.map(({ group, value }) => [group, value])).toEqual([
      ['critique', 2],
      ['reason', 5],
    ]);
    expect(await total({ metric: 'queue_depth', step: 'day' })).toBe(7);
    const ages = await history.series(query({ metric: 'queue_age', step: 'day' }));
    expect(ages.map(({ value }) => value)).toEqual([900]);
  });

  it('S4-61 counts failures as often as they are on the record, however often they are summed', async () => {
    const { store } = at();
    const fail = (type: string, data: object) =>
      store.database.rows(`insert into events (type, data) values ($1, $2)`, [type, JSON.stringify(data)]);
    for (let i = 0; i < 3; i += 1) await fail('stage.failed', { stage: 'reason', reasonCode: 'timeout' });
    await fail('run.quarantined', { stage: 'reason', reasonCode: 'unexpected' });
    await fail('tool-call.completed', { tool: 'whois', state: 'failed', reasonCode: 'timeout' });
    await fail('tool-call.completed', { tool: 'search', state: 'failed', reasonCode: 'not_configured' });
    await fail('stage.completed', { stage: 'reason' });
    await store.history.sum(HOUR_MS);
    await store.history.sum(HOUR_MS);
    for (const step of ['minute', 'hour', 'day'] as const)
      expect(await total({ metric: 'failures', step })).toBe(5);
    const rows = await store.history.series(query({ metric: 'failures', step: 'day', by: 'name' }));
    expect(rows.map(({ group, value }) => [group, value])).toEqual([
      ['reason', 4],
      ['whois', 1],
    ]);
  });

  it('S4-61 removes minutes after 49 hours, and keeps their hours for 90 days', async () => {
    const { store } = at();
    await store.history.sample([{ queue: 'reason', waiting: 3, oldestMs: 900 }]);
    await store.history.sum(HOUR_MS);
    const age = (hours: number) =>
      store.database.rows(`update series_samples set bucket = bucket - $1 * interval '1 hour'`, [hours]);
    const kept = async () =>
      (
        await store.database.rows<{ step: string }>('select distinct step from series_samples order by 1')
      ).map(({ step }) => step);
    await age(50);
    await store.history.sum(HOUR_MS);
    expect(await kept()).toEqual(['hour']);
    await age(91 * 24);
    await store.history.sum(HOUR_MS);
    expect(await kept()).toEqual([]);
  });
});

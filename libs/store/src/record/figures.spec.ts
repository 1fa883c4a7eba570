import { moves, type Lease } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';
import { advanceTo, aResult, aSettlement, aVerdict } from '../testing/store-bench.js';

const at = testRecord();

describe('pipelineFigures', () => {
  it('S2-31 counts what stages and tools did of late, by lane', async () => {
    const { bench, store, passTime } = at();
    await bench.dueAt('collect');
    await passTime(2 * 60_000);
    const { runId } = await bench.dueAt('collect', { lane: 'batch' });
    const { lease } = await bench.claim(runId, { stage: 'collect' });
    const [good, bad, keyless] = await bench.suspend(lease, ['rdap', 'rdap', 'exa_search']);
    await bench.settle(good!);
    await bench.settle(bad!, { ...aSettlement(), state: 'failed', reasonCode: 'timeout', result: null });
    const noKey = {
      ...aSettlement(),
      state: 'failed',
      reasonCode: 'not_configured',
      result: null,
    } as const;
    await bench.settle(keyless!, noKey);
    const again = await bench.claim(runId, { stage: 'collect' });
    const why = { reasonCode: 'unexpected', message: 'm' };
    await bench.commit(again.lease, (at: Lease) => moves.failStep(at, { ...why, retryInMs: 0 }));
    const figures = await store.record.pipelineFigures();
    const none = { lane: 'batch', doneLastMinute: 0, failedLastHour: 0, notConfiguredLastHour: 0 };
    expect(figures.stages).toEqual([
      { ...none, name: 'collect', failedLastHour: 1 },
      { ...none, name: 'triage', doneLastMinute: 1 },
    ]);
    expect(figures.tools).toEqual([
      { ...none, name: 'exa_search', notConfiguredLastHour: 1 },
      { ...none, name: 'rdap', doneLastMinute: 1, failedLastHour: 1 },
    ]);
    await passTime(3_600_000);
    expect(await store.record.pipelineFigures()).toMatchObject({ stages: [], tools: [] });
  });

  it('S2-31 counts verdicts, model calls and dead letters', async () => {
    const { bench, store } = at();
    expect((await store.record.pipelineFigures()).verdicts).toEqual({
      lastHour: 0,
      byDisposition: {},
      fallbackRate: null,
      abstainRate: null,
    });
    await bench.decide((await bench.accept()).runId);
    await bench.decide((await bench.accept()).runId, {
      body: { ...aVerdict(), disposition: 'review', degraded: true },
    });
    await store.deadLetters.bury({ id: 'b', reasonCode: 'r', message: 'm', payload: null });
    const figures = await store.record.pipelineFigures();
    expect(figures.verdicts).toEqual({
      lastHour: 2,
      byDisposition: { act: 1, review: 1 },
      fallbackRate: 0.5,
      abstainRate: 0.5,
    });
    expect(figures.deadLetters).toBe(1);
  });

  it('S2-31 counts held units by their index, so that a million waiting ones are not read', async () => {
    const { bench, store } = at();
    const { database } = store;
    await bench.accept();
    await database.rows(
      `insert into units (run_id, unit, case_id, lane, stage, resume_at, held)
       select r.id, 'u' || i, r.case_id, 'batch', 'triage', now(), i <= 3
       from (select * from runs limit 1) r, generate_series(1, 5000) i`,
    );
    await database.rows('analyze units');
    const rows = jest.spyOn(database, 'rows');
    expect((await store.record.pipelineFigures()).held).toEqual([{ stage: 'triage', lane: 'batch', n: 3 }]);
    const [counting] = rows.mock.calls.filter(([text]) => text.includes('held'));
    rows.mockRestore();
    const plan = await database.rows<{ 'QUERY PLAN': string }>(`explain (costs off) ${counting![0]}`);
    const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
    expect(lines).toContain('units_held');
  });

  it('S2-31 adds up what each model was asked and cost', async () => {
    // A store caches its metrics for a while. This one has not computed them yet.
    const { bench, store, other } = at();
    const { runId } = await bench.dueAt('reason');
    const { lease } = await bench.claim(runId, { stage: 'reason' });
    const intent = bench.intent(lease);
    await store.interactions.intend(intent);
    await bench.commit(lease, advanceTo('critique', { artifact: { name: 'draft', body: {} } }), {
      results: [aResult(intent.interaction.id)],
    });
    expect((await other.record.pipelineFigures()).models).toEqual([
      { provider: 'openai', model: 'm-1-2026', calls: 1, tokens: 15, costUsd: 0.0012 },
    ]);
  });
});

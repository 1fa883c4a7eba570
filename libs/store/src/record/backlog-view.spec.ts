import { moves, type Lease } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();

interface Backlog {
  stage: string;
  lane: string;
  due: string;
  oldest_seconds: number;
}

const backlog = (): Promise<Backlog[]> =>
  at().store.database.rows<Backlog>('select * from casefile_backlog order by stage, lane');
const counts = async (): Promise<unknown[]> =>
  (await backlog()).map(({ stage, lane, due }) => [stage, lane, Number(due)]);

describe('the view casefile_backlog', () => {
  it('is a stable contract: these columns, of these types', async () => {
    const columns = await at().store.database.rows(
      `select column_name as name, data_type as type from information_schema.columns
       where table_name = 'casefile_backlog' order by ordinal_position`,
    );
    expect(columns).toEqual([
      { name: 'stage', type: 'text' },
      { name: 'lane', type: 'text' },
      { name: 'due', type: 'bigint' },
      { name: 'oldest_seconds', type: 'double precision' },
    ]);
  });

  it('counts units that wait by stage and lane, and none that are leased, delayed, suspended or decided', async () => {
    const { bench } = at();
    expect(await backlog()).toEqual([]);
    for (let n = 0; n < 3; n += 1) await bench.accept();
    const [leased, delayed, suspended] = [
      await bench.dueAt('reason'),
      await bench.dueAt('reason'),
      await bench.dueAt('reason'),
    ];
    await bench.dueAt('reason');
    const other = await bench.accept({ lane: 'batch' });
    await bench.decide((await bench.accept()).runId);
    expect(await counts()).toEqual([
      ['reason', 'live', 4],
      ['triage', 'batch', 1],
      ['triage', 'live', 3],
    ]);
    await bench.claim(leased.runId, { stage: 'reason' });
    const claimed = await bench.claim(delayed.runId, { stage: 'reason' });
    await bench.commit(claimed.lease, (lease: Lease) =>
      moves.postponeStep(lease, { delayMs: 300_000, reasonCode: 'circuit_open' }),
    );
    await bench.suspend((await bench.claim(suspended.runId, { stage: 'reason' })).lease, ['who_is']);
    await bench.claim(other.runId);
    expect(await counts()).toEqual([
      ['reason', 'live', 1],
      ['triage', 'live', 3],
    ]);
  });

  it('counts a delayed unit when its time has come, and a leased one when its worker is gone', async () => {
    const { bench, passTime } = at();
    const [leased, delayed] = [await bench.dueAt('reason'), await bench.dueAt('reason')];
    await bench.claim(leased.runId, { stage: 'reason', leaseMs: 200_000 });
    const { lease } = await bench.claim(delayed.runId, { stage: 'reason' });
    await bench.commit(lease, (held: Lease) =>
      moves.postponeStep(held, { delayMs: 100_000, reasonCode: 'circuit_open' }),
    );
    expect(await counts()).toEqual([]);
    await passTime(150_000);
    expect(await counts()).toEqual([['reason', 'live', 1]]);
    await passTime(100_000);
    expect(await counts()).toEqual([['reason', 'live', 2]]);
  });

  it('has the age of the oldest by the newest event of its run', async () => {
    const { bench, passTime } = at();
    const first = await bench.accept();
    await passTime(60_000);
    await bench.accept();
    const [{ oldest_seconds: seconds } = { oldest_seconds: 0 }] = await backlog();
    expect(seconds).toBeGreaterThanOrEqual(60);
    expect(seconds).toBeLessThan(110);
    // The next stage begins to wait now, however old the case is.
    await bench.advance((await bench.claim(first.runId)).lease, 'collect');
    const [collect] = await backlog();
    expect(collect).toMatchObject({ stage: 'collect', lane: 'live', due: '1' });
    expect(collect!.oldest_seconds).toBeLessThan(50);
  });
});

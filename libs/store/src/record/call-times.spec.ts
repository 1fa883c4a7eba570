import { testRecord } from '../testing/test-record.js';

const at = testRecord();

/** Adds model calls to a new run, oldest first; `null`: a call that was ended without an answer. */
async function calls(latencies: readonly (number | null)[], deadlineMs: number | null): Promise<void> {
  const { bench, store } = at();
  const { runId } = await bench.accept();
  const options = deadlineMs === null ? {} : { deadlineMs };
  await store.database.rows(
    `update runs set settings = json_build_object('options', $2::json) where id = $1`,
    [runId, JSON.stringify(options)],
  );
  await store.database.rows(
    `insert into llm_interactions (id, run_id, unit, stage, round, step, attempt, provider, model, prompt_id, request_hash,
      request, draw, state, latency_ms, error_code, created_at)
    select gen_random_uuid(), $1, '', 'reason', 1, n, 1, 'ollama', 'big', 'p@1', 'h', '{}', '{}',
      case when l is null then 'failed' else 'completed' end, l, case when l is null then 'timeout' end,
      now() - interval '1 minute' + n * interval '1 ms'
    from unnest($2::float8[]) with ordinality as c(l, n)`,
    [runId, latencies],
  );
}

describe('T-20 times of model calls', () => {
  it('are those of the newest 20 calls of a kind, with the calls that had no answer in time', async () => {
    const { store } = at();
    await calls(
      [...Array<number>(5).fill(100), ...Array<null>(12).fill(null), ...Array<number>(8).fill(900)],
      5_000,
    );
    expect(await store.record.callTimes()).toEqual([
      expect.objectContaining({ provider: 'ollama', model: 'big', deadlineMs: 5_000, calls: 20, late: 12, medianMs: 5_000 }), // prettier-ignore
    ]);
  });

  it('are none for runs without a deadline, and for calls of more than an hour ago', async () => {
    const { store, passTime } = at();
    await calls([9_000], null);
    expect(await store.record.callTimes()).toEqual([]);
    await calls([9_000], 5_000);
    expect(await store.record.callTimes()).toMatchObject([{ calls: 1, late: 1, medianMs: 9_000 }]);
    await passTime(3_600_000);
    expect(await store.record.callTimes()).toEqual([]);
  });

  it('leave out calls under an earlier deadline', async () => {
    const { store, passTime } = at();
    await calls([null, null, null], 5_000);
    await passTime(1_000);
    await calls([8_000, 9_000], 15_000);
    expect(await store.record.callTimes()).toMatchObject([{ deadlineMs: 15_000, calls: 2, late: 0 }]);
  });
});

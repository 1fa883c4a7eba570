import { moves, type Lease } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';
import { aVerdict } from '../testing/store-bench.js';

const HOUR_MS = 3_600_000;

const at = testRecord();

describe('answers that runs take over', () => {
  const opened = async () => (await at().bench.accept({ fingerprint: null })).runId;
  const take = (runId: string, key = 'k') => at().store.answers.take({ key, runId, forMs: HOUR_MS });

  it('S5-51 are made by the first run that asks, and waited for and taken over by the others', async () => {
    const { bench } = at();
    const runs = [await opened(), await opened(), await opened()];
    const kinds = (await Promise.all(runs.map((runId) => take(runId)))).map(({ kind }) => kind);
    expect([...kinds].sort()).toEqual(['make', 'wait', 'wait']);
    const maker = runs[kinds.indexOf('make')]!;
    // A run whose worker died calls again.
    expect(await take(maker)).toEqual({ kind: 'make' });
    await bench.decide(maker);
    for (const runId of runs.filter((one) => one !== maker))
      expect(await take(runId)).toMatchObject({ kind: 'reuse', of: { runId: maker } });
    expect(await take(await opened(), 'other')).toEqual({ kind: 'make' });
  });

  it('S5-51 are made anew when their time is over', async () => {
    const { bench, passTime } = at();
    const [first, second] = [await opened(), await opened()];
    await take(first);
    await bench.decide(first);
    await passTime(HOUR_MS + 1);
    expect(await take(second)).toEqual({ kind: 'make' });
  });

  it.each([
    ['degraded', { ...aVerdict(), degraded: true }],
    ['made by rules', { ...aVerdict(), method: 'heuristic' }],
  ])('S5-51 are not taken over where one is %s', async (_, body) => {
    const { bench } = at();
    const [first, second] = [await opened(), await opened()];
    await take(first);
    await bench.decide(first, { body });
    expect(await take(second)).toEqual({ kind: 'make' });
  });

  it('S5-51 are made by the next if the run that was working on it fails, or takes too long', async () => {
    const { bench, passTime } = at();
    const [first, second, third] = [await opened(), await opened(), await opened()];
    await take(first);
    const { lease } = await bench.claim(first);
    await bench.commit(lease, (at: Lease) => moves.stopRun(at, { reasonCode: 'dropped', message: 'no' }));
    expect(await take(second)).toEqual({ kind: 'make' });
    expect(await take(third)).toEqual({ kind: 'wait' });
    await passTime(601_000);
    expect(await take(third)).toEqual({ kind: 'make' });
  });
});

import type { Nudge } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();

describe('one process', () => {
  it('leads at a time', async () => {
    const { store, other } = at();
    const led = await store.lead('sweeper');
    expect(led).not.toBeNull();
    expect(await store.lead('sweeper')).toBeNull();
    const another = await store.lead('janitor');
    expect(another).not.toBeNull();
    await another?.release();
    await led?.release();
    await led?.release();
    const next = await other.lead('sweeper');
    expect(next).not.toBeNull();
    await next?.release();
  });

  it('can ask how much is unfinished, and whether the store answers', async () => {
    const { bench, store } = at();
    await bench.decide((await bench.accept()).runId);
    const nudges: Nudge[] = [...(await bench.accept()).nudges, ...(await bench.accept()).nudges];
    expect(await store.runs.backlog()).toBe(nudges.length);
    await expect(store.ping(60_000)).resolves.toBeUndefined();
  });

  it('E-08 can ask whether the store takes writes, often and from several processes', async () => {
    const { store, other } = at();
    for (const asked of [store, other, store])
      await expect(asked.proveWrites(60_000)).resolves.toBeUndefined();
  });
});

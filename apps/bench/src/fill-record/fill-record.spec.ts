import { createPostgresStore } from '@casefile/store';
import { testDatabase } from '@casefile/store/testing';
import { fillRecord } from './fill-record.js';

it('S2-30 a filled record reads as one that was written by the flow', async () => {
  const database = await testDatabase();
  const store = createPostgresStore({ databaseUrl: database.url, poolSize: 3 });
  try {
    const done: number[] = [];
    await fillRecord(database.url, { cases: 30, interactionsPerCase: 4 }, (cases) => done.push(cases));
    expect(done).toEqual([30]);
    const { items, nextCursor } = await store.record.listCases({ limit: 20, q: 'evidence' });
    expect(items).toHaveLength(20);
    expect(nextCursor).not.toBeNull();
    expect(items[0]).toMatchObject({ status: 'decided', hasReasoning: true, run: { status: 'decided' } });
    const [run] = (await store.record.getCase(items[0]?.id ?? ''))?.runs ?? [];
    expect(run?.interactions).toHaveLength(4);
    expect(run?.artifacts.map((one) => one.artifact).sort()).toEqual([
      'brief',
      'draft',
      'evidence',
      'report',
      'review',
      'verdict',
    ]);
    expect(run?.trace).toHaveLength(10);
    expect((await store.record.pipelineFigures()).verdicts.lastHour).toBe(30);
  } finally {
    await store.close();
    await database.drop();
  }
});

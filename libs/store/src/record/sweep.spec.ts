import type { CaseStore, StageNudge, SweepCandidate, Units } from '@casefile/contracts';
import type { Database } from '../database.js';
import { testRecord } from '../testing/test-record.js';

const LEASE_MS = 6_000;
const LOOK_AGAIN_MS = 10_000;

const HOUR_MS = 3_600_000;

const at = testRecord();

const runsOf = (candidates: SweepCandidate[]): string[] =>
  candidates.map(({ nudge }) => (nudge.kind === 'stage' ? nudge.runId : nudge.toolCallId));

describe('sweep', () => {
  it('leaves alone what was nudged just now, and finds it when it waits too long', async () => {
    const { bench, store, passTime } = at();
    const { runId, nudges } = await bench.accept();
    expect(await store.units.sweep(10)).toEqual([]);
    await passTime(LOOK_AGAIN_MS + 1);
    const found = await store.units.sweep(10);
    expect(found).toEqual([{ nudge: nudges[0] }]);
    const sent = await store.units.renudge(found);
    expect(sent).toMatchObject([{ runId, nudge: 2 }]);
    expect(await store.units.sweep(10)).toEqual([]);
    expect(await store.units.renudge(found)).toEqual([]);
  });

  it('names the job that wakes units together which became due in one write, until they are sent again', async () => {
    const { bench, store, passTime } = at();
    const runs = await Promise.all(Array.from({ length: 5 }, () => bench.accept()));
    const works = await Promise.all(runs.map(({ runId }) => bench.claim(runId)));
    const [first, ...rest] = works.map(
      ({ lease }) =>
        () =>
          bench.advance(lease, 'collect'),
    );
    const committed = [await first!(), ...(await Promise.all(rest.map((advance) => advance())))];
    const nudges = committed.flatMap((one) => one.nudges as StageNudge[]);
    const [alone, shared, ...others] = nudges.map(({ sharedJob }) => sharedJob);
    expect([alone, others]).toEqual([undefined, [shared, shared, shared]]);
    expect(shared).toMatch(/^[0-9a-f-]{36}$/);
    await passTime(LOOK_AGAIN_MS + 1);
    const found = await store.units.sweep(10);
    expect(found.map(({ nudge }) => (nudge as StageNudge).sharedJob).sort()).toEqual([
      ...Array.from({ length: 4 }, () => shared),
      undefined,
    ]);
    for (const nudge of await store.units.renudge(found)) expect(nudge).not.toHaveProperty('sharedJob');
    await passTime(LOOK_AGAIN_MS + 1);
    for (const { nudge } of await store.units.sweep(10)) expect(nudge).not.toHaveProperty('sharedJob');
  });

  it.each([
    [25, [1, 6, 6, 6, 6]],
    [9, [1, 4, 4]],
  ])('R16 divides units that become due in one write into several jobs: %i', async (count, sizes) => {
    const { bench } = at();
    const runs = await Promise.all(Array.from({ length: count }, () => bench.accept()));
    const works = await Promise.all(runs.map(({ runId }) => bench.claim(runId)));
    const [first, ...rest] = works.map(
      ({ lease }) =>
        () =>
          bench.advance(lease, 'collect'),
    );
    const committed = [await first!(), ...(await Promise.all(rest.map((advance) => advance())))];
    const jobs = committed.flatMap(({ nudges }) =>
      (nudges as StageNudge[]).map(({ sharedJob }) => sharedJob),
    );
    const counts = [...new Set(jobs)].map((job) => jobs.filter((one) => one === job).length);
    expect(counts.toSorted((a, b) => a - b)).toEqual(sizes);
  });

  it('lets a unit that was given back, and bulk work, have jobs of their own', async () => {
    const { bench, store, passTime } = at();
    for (const lane of ['live', 'batch'] as const) {
      const runs = await Promise.all(Array.from({ length: 3 }, () => bench.accept({ lane })));
      const works = await Promise.all(runs.map(({ runId }) => bench.claim(runId)));
      await Promise.all(works.map(({ lease }) => bench.advance(lease, 'collect')));
      if (lane === 'batch') continue;
      for (const { runId } of runs) {
        const { lease } = await bench.claim(runId, { stage: 'collect' });
        const [nudge] = await store.units.release(lease);
        expect(nudge).not.toHaveProperty('sharedJob');
      }
    }
    await passTime(LOOK_AGAIN_MS + 1);
    const found = await store.units.sweep(10);
    expect(found).toHaveLength(6);
    for (const { nudge } of found) expect(nudge).not.toHaveProperty('sharedJob');
  });

  it('finds the minutes that passed first, as many units as it is asked for', async () => {
    const { bench, store, passTime } = at();
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      ids.push((await bench.accept()).runId);
      await passTime(60_000);
    }
    await passTime(LOOK_AGAIN_MS);
    expect(runsOf(await store.units.sweep(3))).toEqual(ids.slice(0, 3));
  });

  it('R16 finds live work first, however much other work is overdue longer', async () => {
    const { bench, store, passTime } = at();
    const waiting: string[] = [];
    for (let i = 0; i < 4; i += 1) waiting.push((await bench.accept({ lane: 'batch' })).runId);
    const suspended = await bench.accept({ lane: 'batch' });
    const calls = await bench.suspend((await bench.claim(suspended.runId)).lease, ['a', 'b', 'c']);
    await passTime(60_000);
    const live = await bench.accept();
    const paused = await bench.accept();
    await store.units.release((await bench.claim(paused.runId)).lease, 5_000);
    const asking = await bench.accept();
    const [call] = await bench.suspend((await bench.claim(asking.runId)).lease, ['a']);
    await passTime(LOOK_AGAIN_MS + 1);
    const found = runsOf(await store.units.sweep(3));
    expect(found.slice(0, 3).sort()).toEqual([live.runId, paused.runId, call].sort());
    expect(found).toHaveLength(6);
    for (const other of found.slice(3)) expect([...waiting, suspended.runId, ...calls]).toContain(other);
  });

  it('finds other work that is overdue, however much live work is', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.accept({ lane: 'batch' });
    await passTime(60_000);
    for (let i = 0; i < 4; i += 1) await bench.accept();
    await passTime(LOOK_AGAIN_MS + 1);
    const found = runsOf(await store.units.sweep(2));
    expect(found).toHaveLength(3);
    expect(found).toContain(runId);
  });

  it('reads units and calls in the order of an index, so that a pass does not sort a million overdue ones', async () => {
    const { bench, store } = at();
    const { database, units } = store;
    await bench.accept();
    await fillOverdue(database, 5_000);
    const statements: [text: string, params: readonly unknown[]][] = [];
    const rows = database.rows.bind(database);
    const watched = jest.spyOn(database, 'rows').mockImplementation((text: string, params = []) => {
      statements.push([text, params]);
      return rows(text, params);
    });
    await units.sweep(10);
    watched.mockRestore();
    const reads = statements.filter(([text]) => !text.includes('recoveries'));
    expect(reads).toHaveLength(2);
    for (const [text, params] of reads) {
      const plan = await database.rows<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, [...params]);
      const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
      for (const index of ['sweep', 'sweep_live'])
        expect(lines).toMatch(
          new RegExp(`Limit(\\s+-> +LockRows)?\\s+-> +Index Scan using (units|tool_calls)_${index} on`),
        );
    }
  });

  it('looks at the units and calls of some cases alone when it is asked to', async () => {
    const { bench, store, passTime } = at();
    const [one, other] = [await bench.accept(), await bench.accept()];
    const { lease } = await bench.claim(other.runId);
    const [call] = await bench.suspend(lease, ['rdap'], { timeoutMs: 30_000 });
    await passTime(LOOK_AGAIN_MS + 1);
    expect(runsOf(await store.units.sweep(10, [one.caseId]))).toEqual([one.runId]);
    expect(runsOf(await store.units.sweep(10, [other.caseId]))).toEqual([call]);
    expect(await store.units.sweep(10, [])).toEqual([]);
  });

  it('R4 finds a unit whose worker died when its lease is over', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.accept();
    await bench.claim(runId, { leaseMs: 3_600_000 });
    await passTime(3_000_000);
    expect(await store.units.sweep(10)).toEqual([]);
    await passTime(600_001);
    const found = await store.units.sweep(10);
    expect(runsOf(found)).toEqual([runId]);
    expect(await store.units.renudge(found)).toMatchObject([{ runId, nudge: 2 }]);
    expect((await bench.claim(runId)).crashes).toBe(1);
  });

  it('does not raise the counter of a unit that somebody took meanwhile', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.accept();
    await passTime(LOOK_AGAIN_MS + 1);
    const found = await store.units.sweep(10);
    const { lease } = await bench.claim(runId);
    expect(await store.units.renudge(found)).toEqual([]);
    await store.units.postpone(found, 60_000);
    await passTime(LEASE_MS + 1);
    expect(runsOf(await store.units.sweep(10))).toEqual([runId]);
    await bench.advance(lease, 'collect');
  });

  it('puts off what has a live job', async () => {
    const { bench, store, passTime } = at();
    await bench.accept();
    await passTime(LOOK_AGAIN_MS + 1);
    await store.units.postpone(await store.units.sweep(10), 2 * HOUR_MS);
    await passTime(HOUR_MS);
    expect(await store.units.sweep(10)).toEqual([]);
    await passTime(HOUR_MS + 1);
    expect(await store.units.sweep(10)).toHaveLength(1);
  });

  it('makes waits that are over due, with what is there', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const [id] = await bench.suspend(lease, ['rdap'], { timeoutMs: 30_000 });
    await passTime(LOOK_AGAIN_MS + 1);
    const calls = await store.units.sweep(10);
    expect(runsOf(calls)).toEqual([id]);
    expect(await store.units.renudge(calls)).toMatchObject([{ kind: 'tool', toolCallId: id, nudge: 2 }]);
    await passTime(20_000);
    const units = (await store.units.sweep(10)).filter(({ nudge }) => nudge.kind === 'stage');
    expect(runsOf(units)).toEqual([runId]);
    expect(await store.units.renudge(units)).toMatchObject([{ runId, stage: 'triage' }]);
    const work = await bench.claim(runId);
    expect(work).toMatchObject({ waitOver: true, toolCalls: [{ state: 'failed' }], crashes: 0 });
  });

  it('finds a tool call whose worker died', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    const [id] = await bench.suspend(lease, ['rdap']);
    await bench.claimCall(id!);
    await passTime(LEASE_MS + 1);
    const found = await store.units.sweep(10);
    expect(runsOf(found)).toEqual([id]);
    await store.units.postpone(found, 5_000);
    expect(await store.units.sweep(10)).toEqual([]);
    await passTime(5_001);
    expect(await store.units.renudge(await store.units.sweep(10))).toMatchObject([
      { toolCallId: id, nudge: 2 },
    ]);
  });
});

describe('allDue', () => {
  it('R7 names everything that should have a job, in pages, each once', async () => {
    const { bench, store } = at();
    const due: string[] = [];
    for (let i = 0; i < 5; i += 1) due.push((await bench.accept()).runId);
    await bench.decide((await bench.accept()).runId);
    const suspended = await bench.accept();
    const { lease } = await bench.claim(suspended.runId);
    const calls = await bench.suspend(lease, ['a', 'b', 'c']);
    await bench.claim((await bench.accept()).runId);
    // A unit that is nudged meanwhile is not listed again.
    const found = await allDue(store, 2, (page) => store.units.renudge(page));
    expect(runsOf(found).sort()).toEqual([...due, ...calls].sort());
  });

  it('R7 names live work before the work of other lanes, each once', async () => {
    const { bench, store } = at();
    const expected: Record<'live' | 'others', string[]> = { live: [], others: [] };
    for (const lane of ['batch', 'shadow', 'live', 'replay', 'live', 'batch'] as const) {
      const due = await bench.accept({ lane });
      const asking = await bench.accept({ lane });
      const calls = await bench.suspend((await bench.claim(asking.runId)).lease, ['a', 'b']);
      expected[lane === 'live' ? 'live' : 'others'].push(due.runId, ...calls);
    }
    for (const limit of [1, 2, 5]) {
      const found = runsOf(await allDue(store, limit));
      expect(found.slice(0, 6).sort()).toEqual(expected.live.sort());
      expect(found.slice(6).sort()).toEqual(expected.others.sort());
    }
  });
});

/** Adds overdue units and tool calls of the lane `batch` to the first run. */
async function fillOverdue(database: Database, count: number): Promise<void> {
  await database.rows(
    `insert into units (run_id, unit, case_id, lane, stage, resume_at)
     select r.id, 'u' || i, r.case_id, 'batch', 'triage', now() - interval '1 hour'
     from (select * from runs limit 1) r, generate_series(1, $1::int) i`,
    [count],
  );
  await database.rows(
    `insert into tool_calls (id, run_id, unit, stage, round, step, seq, case_id, lane, tool, args, resume_at)
     select gen_random_uuid(), r.id, '', 'triage', 1, 1, i, r.case_id, 'batch', 'rdap', '{}', now() - interval '1 hour'
     from (select * from runs limit 1) r, generate_series(1, $1::int) i`,
    [count],
  );
  await database.rows('analyze units, tool_calls');
}

async function allDue(
  store: Pick<CaseStore, 'units'>,
  limit: number,
  onPage: (candidates: SweepCandidate[]) => Promise<unknown> = async () => undefined,
): Promise<SweepCandidate[]> {
  const found: SweepCandidate[] = [];
  for (let after: string | null = null, isLast = false; !isLast; isLast = after === null) {
    const page: Awaited<ReturnType<Units['allDue']>> = await store.units.allDue(after, limit);
    expect(page.candidates.length).toBeLessThanOrEqual(limit);
    found.push(...page.candidates);
    await onPage(page.candidates);
    after = page.next;
  }
  return found;
}

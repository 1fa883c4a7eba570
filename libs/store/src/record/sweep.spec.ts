import type { Nudge, StageNudge, SweepCandidate } from '@casefile/contracts';
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

  it('reads units and calls in the order of an index, so that a pass does not sort a million overdue ones', async () => {
    const { database, units } = at().store;
    const statements: [text: string, params: readonly unknown[]][] = [];
    const rows = database.rows.bind(database);
    const watched = jest.spyOn(database, 'rows').mockImplementation((text: string, params = []) => {
      statements.push([text, params]);
      return rows(text, params);
    });
    await units.sweep(10);
    watched.mockRestore();
    expect(statements).toHaveLength(2);
    await database.transaction(async (tx) => {
      // Small tables would be read whole.
      await tx.rows('set local enable_seqscan = off');
      await tx.rows('set local enable_bitmapscan = off');
      for (const [text, params] of statements) {
        const plan = await tx.rows<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, [...params]);
        const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
        expect(lines).toMatch(/Limit[\s\S]*Index Scan using (units|tool_calls)_sweep/);
        expect(lines).not.toMatch(/Sort Key: (u\.)?resume_at/);
      }
    });
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
    await bench.claim(runId);
    await passTime(LEASE_MS - 1_000);
    expect(await store.units.sweep(10)).toEqual([]);
    await passTime(1_001);
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
    const found: SweepCandidate[] = [];
    let after: string | null = null;
    do {
      const page: { candidates: SweepCandidate[]; next: string | null } = await store.units.allDue(after, 2);
      expect(page.candidates.length).toBeLessThanOrEqual(2);
      found.push(...page.candidates);
      // A unit that is nudged meanwhile is not listed again.
      await store.units.renudge(page.candidates);
      after = page.next;
    } while (after !== null);
    expect(runsOf(found).sort()).toEqual([...due, ...calls].sort());
  });
});

describe('deliveries', () => {
  it('wait until they are marked, oldest first, and not before their time', async () => {
    const { bench, store, passTime } = at();
    const [first, second] = [await bench.accept(), await bench.accept()];
    await bench.decide(first.runId, { deliveryId: 'd1' });
    await passTime(5_000);
    await bench.decide(second.runId, { deliveryId: 'd2' });
    expect(
      (await store.deliveries.pending(10, 0, ['scam-verdict'])).map((entry) => entry.deliveryId),
    ).toEqual(['d1', 'd2']);
    expect(
      (await store.deliveries.pending(10, 2_000, ['scam-verdict'])).map((entry) => entry.deliveryId),
    ).toEqual(['d1']);
    expect(await store.deliveries.of(second.runId)).toMatchObject({
      deliveryId: 'd2',
      caseId: second.caseId,
      runId: second.runId,
      playbook: 'scam-verdict',
      lane: 'live',
      verdict: { disposition: 'act' },
    });
    await store.deliveries.markDelivered(['d1', 'unknown']);
    await store.deliveries.markDelivered(['d1']);
    expect(
      (await store.deliveries.pending(10, 0, ['scam-verdict'])).map((entry) => entry.deliveryId),
    ).toEqual(['d2']);
    expect(await store.deliveries.of('x')).toBeNull();
  });
});

describe('dead letters', () => {
  it('R15 keep the raw alert, until they are dropped', async () => {
    const { store } = at();
    const entry = {
      id: 'job-1',
      reasonCode: 'invalid_input',
      message: 'no text',
      payload: { a: ['\u0000', 1] },
    };
    await store.deadLetters.bury(entry);
    await store.deadLetters.bury({ ...entry, id: 'job-2', payload: undefined });
    const letters = (await store.deadLetters.find({ limit: 10 })).items;
    expect(letters.map((letter) => letter.id).sort()).toEqual(['job-1', 'job-2']);
    expect(letters.find((letter) => letter.id === 'job-1')).toMatchObject({
      kind: 'alert',
      reasonCode: 'invalid_input',
      message: 'no text',
      payload: { a: ['␀', 1] },
      caseId: null,
      runId: null,
    });
    expect(await store.deadLetters.drop(['job-1', 'unknown'])).toEqual(['job-1']);
    expect((await store.deadLetters.find({ limit: 10 })).items).toHaveLength(1);
  });
});

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

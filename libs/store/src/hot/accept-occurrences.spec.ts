import { type AcceptRequest, type AlertOccurrence, type Lease, moves } from '@casefile/contracts';
import { aVerdict } from '../testing/store-bench.js';
import { testRecord } from '../testing/test-record.js';

const HOUR_MS = 3_600_000;

/** Returns an alert with one sender's fingerprint, by the minute at which its occurrence began. */
function occurrence(minute: number, over: Partial<AlertOccurrence> = {}): Partial<AcceptRequest> {
  const startedAt = new Date(Date.parse('2026-01-05T10:00:00Z') + minute * 60_000).toISOString();
  return {
    fingerprint: 'print',
    alert: { playbook: 'scam-verdict', text: `since ${minute}` },
    occurrence: { startedAt, resolved: false, mostRunsPerHour: 6, closes: false, ...over },
  };
}

const at = testRecord();

const shown = async (caseId: string) => {
  const found = await at().store.record.getCase(caseId);
  const { status, alertCount, flaps, runs } = found ?? {};
  return {
    status,
    alertCount,
    flaps,
    runs: runs?.length,
    isResolved: (found?.resolvedAt ?? null) !== null,
  };
};

describe('accept of an occurrence', () => {
  it('S2-40 joins a repeated report of it, also after its verdict, and opens a run for the next at once', async () => {
    const { bench, store } = at();
    const first = await bench.accept(occurrence(0));
    await bench.accept(occurrence(0));
    await bench.decide(first.runId);
    const again = await bench.accept(occurrence(0));
    expect(again).toMatchObject({ caseId: first.caseId, runId: first.runId, joined: true, nudges: [] });
    const next = await bench.accept(occurrence(5));
    expect(next).toMatchObject({ caseId: first.caseId, joined: true });
    expect(next.nudges).toHaveLength(1);
    expect(await shown(first.caseId)).toEqual({
      status: 'open',
      alertCount: 4,
      flaps: 0,
      runs: 2,
      isResolved: false,
    });
    expect((await store.record.listCases({ limit: 5 })).items).toHaveLength(1);
  });

  it('S2-40 opens nothing for the end of an alert that no case has', async () => {
    const { bench, store } = at();
    const over = bench.request({ ...occurrence(0, { resolved: true }) });
    expect(await store.runs.accept(over)).toEqual({ kind: 'ignored', why: 'resolved_unknown' });
    expect((await store.record.listCases({ limit: 5 })).items).toEqual([]);
    const { caseId } = await bench.accept({ ...occurrence(0) });
    expect(await store.runs.accept({ ...over, caseId: bench.ids.id() })).toMatchObject({
      caseId,
      joined: true,
    });
  });

  it('R11 S2-40 repeats the answer to an ignored end under its key, and refuses the key with another body', async () => {
    const { store, bench } = at();
    const idempotency = { key: 'k', bodyDigest: 'd' };
    const over = () => bench.request({ ...occurrence(0, { resolved: true }), idempotency });
    const ignored = { kind: 'ignored', why: 'resolved_unknown' };
    expect(await store.runs.accept(over())).toEqual(ignored);
    const { caseId } = await bench.accept(occurrence(1));
    expect(await store.runs.accept(over())).toEqual(ignored);
    const other = { ...over(), idempotency: { ...idempotency, bodyDigest: 'e' } };
    expect(await store.runs.accept(other)).toEqual({ kind: 'key-reused' });
    expect(await shown(caseId)).toMatchObject({ alertCount: 1, isResolved: false });
    expect(await store.database.rows('select fingerprint from recoveries')).toEqual([]);
  });

  it('S2-40 the sweep deletes ends that no start can join, and keeps newer ones', async () => {
    const { store, bench } = at();
    for (const fingerprint of ['old', 'new'])
      await store.runs.accept(bench.request({ ...occurrence(0, { resolved: true }), fingerprint }));
    await store.database.rows(
      `update recoveries set at = now() - interval '6 hours 1 second' where fingerprint = 'old'`,
    );
    await store.units.sweep(10);
    expect(await store.database.rows('select fingerprint from recoveries')).toEqual([{ fingerprint: 'new' }]);
  });

  it('S2-40 says that it is over once, to a run that is under way too, and takes it back when it fires again', async () => {
    const { bench } = at();
    const { caseId, runId } = await bench.accept(occurrence(0));
    const over = await bench.accept(occurrence(0, { resolved: true }));
    expect(over).toMatchObject({ caseId, runId, joined: true, nudges: [] });
    await bench.accept(occurrence(0, { resolved: true }));
    const { resolvedAt } = (await at().store.record.getCase(caseId)) ?? {};
    expect(Math.abs(Date.parse(String(resolvedAt)) - Date.now())).toBeLessThan(600_000);
    expect(await at().store.record.resolvedAt(caseId)).toBe(resolvedAt);
    expect((await bench.eventTypes()).filter((type) => type === 'alert.resolved')).toHaveLength(1);
    await bench.accept(occurrence(3));
    expect(await shown(caseId)).toMatchObject({ isResolved: false, runs: 1, alertCount: 4 });
  });

  it('S2-40 remembers the end of an unknown one: a start that arrives later is over, a newer one is not', async () => {
    const { bench, store } = at();
    const ignored = { kind: 'ignored', why: 'resolved_unknown' };
    for (let times = 0; times < 2; times += 1)
      expect(await store.runs.accept(bench.request(occurrence(3, { resolved: true })))).toEqual(ignored);
    const late = await bench.accept(occurrence(3));
    expect(late.nudges).toHaveLength(1);
    expect(await shown(late.caseId)).toMatchObject({ isResolved: true, runs: 1 });
    await bench.decide(late.runId);
    // Only a message that it fires again is judged again.
    expect((await bench.accept(occurrence(3))).nudges).toHaveLength(1);
    expect(await shown(late.caseId)).toMatchObject({ isResolved: false, runs: 2 });
    const other = { ...occurrence(3, { resolved: true }), fingerprint: 'other' };
    expect(await store.runs.accept(bench.request(other))).toEqual(ignored);
    const newer = await bench.accept({ ...occurrence(4), fingerprint: 'other' });
    expect(await shown(newer.caseId)).toMatchObject({ isResolved: false, runs: 1 });
  });

  it('S2-40 judges an escalation at once, also while a run is active, whose verdict then counts as delivered', async () => {
    const { bench, store } = at();
    const graded = (severity: 'warning' | 'critical') =>
      occurrence(0, { grade: { severity, level: 'firing', affected: null } });
    const first = await bench.accept(graded('warning'));
    const rise = await bench.accept(graded('critical'));
    expect(rise).toMatchObject({ caseId: first.caseId, joined: true, nudges: [expect.anything()] });
    expect((await bench.accept(graded('warning'))).nudges).toEqual([]);
    await bench.decide(rise.runId, { deliveryId: 'rise' });
    const { lease } = await bench.claim(first.runId);
    const verdict = { artifact: { name: 'verdict' as const, body: aVerdict() }, deliveryId: 'overtaken' };
    expect(await bench.commit(lease, (at) => moves.decideRun(at, verdict))).toMatchObject({ isSilent: true });
    const waiting = await store.deliveries.pending(9, 0, ['scam-verdict']);
    expect(waiting.map(({ deliveryId }) => deliveryId)).toEqual(['rise']);
    expect((await bench.eventTypes()).filter((type) => type === 'case.escalated')).toHaveLength(1);
  });

  it('S2-40 a late report changes nothing but the count of alerts', async () => {
    const { bench, store } = at();
    const { caseId, runId } = await bench.accept(occurrence(10));
    await bench.decide(runId);
    await bench.accept(occurrence(10, { resolved: true }));
    const before = await shown(caseId);
    for (const resolved of [true, false]) await bench.accept(occurrence(2, { resolved }));
    expect(await shown(caseId)).toEqual({ ...before, alertCount: 4 });
    expect((await store.record.listCases({ limit: 5 })).items[0]?.text).toBe('since 10');
  });

  it('S2-40 notes what comes back too often within an hour, its verdict unchanged, and counts the hour anew', async () => {
    const { bench, passTime } = at();
    const { caseId, runId } = await bench.accept(occurrence(0, { mostRunsPerHour: 2 }));
    await bench.decide(runId);
    const second = await bench.accept(occurrence(1, { mostRunsPerHour: 2 }));
    await bench.decide(second.runId);
    for (const minute of [2, 2, 3]) {
      const noted = await bench.accept(occurrence(minute, { mostRunsPerHour: 2 }));
      expect(noted).toMatchObject({ runId: second.runId, nudges: [] });
    }
    expect(await shown(caseId)).toMatchObject({ status: 'decided', flaps: 2, runs: 2, alertCount: 5 });
    expect((await bench.eventTypes()).filter((type) => type === 'case.flapping')).toHaveLength(2);
    await passTime(HOUR_MS + 1_000);
    expect((await bench.accept(occurrence(4, { mostRunsPerHour: 2 }))).nudges).toHaveLength(1);
  });

  it('S2-40 closes the case where it is to, ends its run all the same, and opens it again for the next', async () => {
    const { bench, store } = at();
    const { caseId, runId } = await bench.accept(occurrence(0));
    await bench.accept(occurrence(0, { resolved: true, closes: true }));
    expect(await shown(caseId)).toMatchObject({ status: 'closed', isResolved: true });
    await bench.decide(runId);
    expect((await store.record.getCase(caseId))?.runs[0]?.status).toBe('decided');
    expect(await shown(caseId)).toMatchObject({ status: 'closed' });
    expect((await bench.accept(occurrence(0))).caseId).toBe(caseId);
    expect(await shown(caseId)).toMatchObject({ status: 'decided', isResolved: false, runs: 1 });
    await bench.accept(occurrence(0, { resolved: true, closes: true }));
    const next = await bench.accept(occurrence(7, { closes: true }));
    expect(next.caseId).toBe(caseId);
    expect(await shown(caseId)).toMatchObject({ status: 'open', isResolved: false, runs: 2 });
  });

  it('S2-40 opens a run for the next one where the last run was stopped', async () => {
    const { bench } = at();
    const { caseId, runId } = await bench.accept(occurrence(0));
    const { lease } = await bench.claim(runId);
    await bench.commit(lease, (at: Lease) => moves.stopRun(at, { reasonCode: 'unexpected', message: 'no' }));
    expect((await bench.accept(occurrence(1))).nudges).toHaveLength(1);
    expect(await shown(caseId)).toMatchObject({ runs: 2 });
  });

  it('S2-45 two senders that post the same at once, over two processes, make one case and one run', async () => {
    const { bench, store, other } = at();
    const requests = Array.from({ length: 60 }, (_, i) =>
      bench.request(occurrence(0, { resolved: i % 3 === 2 })),
    );
    const results = await Promise.all(
      requests.map((request, i) => (i % 2 ? store : other).runs.accept(request)),
    );
    expect(results.filter((result) => result.kind === 'accepted' && !result.joined)).toHaveLength(1);
    const { items } = await store.record.listCases({ limit: 5 });
    expect(items.map(({ alertCount }) => alertCount)).toEqual([60]);
    expect(await shown(items[0]?.id ?? '')).toMatchObject({ runs: 1 });
  });
});

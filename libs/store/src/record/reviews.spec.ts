import { moves, type ClaimedWork, type NewReviewAct, type ReviewQuery } from '@casefile/contracts';
import { aClaimRequest } from '@casefile/contracts/testing';
import { blockedAmong } from '../erasure/erasable.js';
import { testRecord } from '../testing/test-record.js';
import { aVerdict, type StoreBench } from '../testing/store-bench.js';

const at = testRecord();
const KINDS = ['message-screening', 'scam-verdict', 'policy-check', 'incident', 'research'];
/** Time of the acts, in milliseconds. The corrections of a test leave 10 s later. */
const NOW = Date.parse('2026-01-05T12:00:00.000Z');
const DUE = NOW + 10_000;

interface Decided {
  caseId: string;
  runId: string;
}

async function decided(bench: StoreBench, body: object = {}, deliveryId?: null): Promise<Decided> {
  const { caseId, runId } = await bench.accept();
  const verdict = { ...aVerdict('warn'), disposition: 'review', ...body };
  await bench.decide(runId, { body: verdict, ...(deliveryId === undefined ? {} : { deliveryId }) });
  return { caseId, runId };
}

const act = (bench: StoreBench, { caseId }: Decided, over: Partial<NewReviewAct> = {}): NewReviewAct => {
  const outcome = over.outcome ?? { action: 'block' };
  return {
    actId: bench.ids.id(),
    act: 'correct',
    caseId,
    by: 'ann',
    note: null,
    part: null,
    assignee: null,
    until: null,
    bulk: false,
    event: null,
    verdict: { ...aVerdict('x'), outcome } as never,
    ids: { label: bench.ids.id(), delivery: bench.ids.id() },
    now: NOW,
    sendAt: DUE,
    ...over,
    outcome: over.outcome === undefined && over.act !== undefined && over.act !== 'correct' ? null : outcome,
  };
};
const plain = (of: NewReviewAct): NewReviewAct => ({ ...of, verdict: null });
const list = async (over: Partial<ReviewQuery> = {}) => {
  const query: ReviewQuery = { state: 'open', sort: 'oldest', limit: 50, now: NOW, ...over };
  return (await at().store.reviews.list(query)).reviews.map(({ caseId }) => caseId);
};
const take = async (now = DUE) => at().store.reviews.takeCorrections(now, 100, KINDS);
const sent = async (now = DUE) => {
  const taken = await take(now);
  await at().store.reviews.markCorrectionsSent(
    taken.map(({ deliveryId }) => deliveryId),
    now,
  );
  return taken.map(({ verdict }) => (verdict['outcome'] as { action: string }).action);
};
const detail = async (caseId: string) => (await at().store.reviews.get(caseId, NOW))!;

describe('the review desk', () => {
  it('S4-59 lists verdicts that wait, oldest first, until a person settles them', async () => {
    const { bench, store } = at();
    const [a, b, c] = [await decided(bench), await decided(bench), await decided(bench)];
    await decided(bench, { disposition: 'act' });
    expect(await list()).toEqual([a, b, c].map(({ caseId }) => caseId));
    expect(await list({ sort: 'newest' })).toEqual([c, b, a].map(({ caseId }) => caseId));
    await store.reviews.act(act(bench, a));
    await store.reviews.act(plain(act(bench, b, { act: 'acknowledge' })));
    await store.reviews.act(plain(act(bench, c, { act: 'skip', note: 'not mine' })));
    expect(await list()).toEqual([]);
    expect(await list({ state: 'answered' })).toEqual([a.caseId]);
    expect(await list({ state: 'acknowledged' })).toEqual([b.caseId]);
    expect(await list({ state: 'skipped' })).toEqual([c.caseId]);
    expect(await store.reviews.waiting(NOW, {})).toEqual([]);
  });

  it('S4-59 comes in pages, and is filtered by kind, reason, confidence, assignee, age and words', async () => {
    const { bench, store } = at();
    const all: Decided[] = [];
    for (let i = 0; i < 5; i += 1) all.push(await decided(bench, { confidence: i / 10 }));
    const ids: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { state: 'open', sort: 'oldest', limit: 2, now: NOW } as const;
      const found: Awaited<ReturnType<typeof store.reviews.list>> = await store.reviews.list(
        cursor === undefined ? query : { ...query, cursor },
      );
      ids.push(...found.reviews.map(({ caseId }) => caseId));
      cursor = found.nextCursor;
    }
    expect(ids).toEqual(all.map(({ caseId }) => caseId));
    expect(await list({ playbook: 'none' })).toEqual([]);
    expect(await list({ reason: 'unsure' })).toHaveLength(5);
    expect(await list({ reason: 'degraded' })).toEqual([]);
    expect(await list({ reason: 'rules' })).toEqual([]);
    expect(await list({ to: '2020-01-01' })).toEqual([]);
    expect(await list({ from: '2020-01-01' })).toHaveLength(5);
    expect(await list({ q: 'nothing-like-it' })).toEqual([]);
    await store.reviews.act(plain(act(bench, all[1]!, { act: 'assign', assignee: 'ben' })));
    expect(await list({ assignee: 'ben' })).toEqual([all[1]!.caseId]);
    expect(await store.reviews.waiting(NOW, {})).toMatchObject([{ count: 5 }]);
    await expect(list({ cursor: 'x' })).rejects.toMatchObject({ reasonCode: 'invalid_input' });
  });

  it('S4-59 counts verdicts that wait for longer than they should, by kind', async () => {
    const { bench, store } = at();
    const { caseId } = await decided(bench);
    const { playbook, since } = (await store.reviews.get(caseId, NOW))!;
    const after = (hours: number, within: Record<string, number>) =>
      store.reviews.waiting(Date.parse(since) + hours * 3_600_000, within);
    expect(await after(23, { default: 24 })).toMatchObject([{ playbook, count: 1, overdue: 0 }]);
    expect(await after(25, { default: 24 })).toMatchObject([{ playbook, count: 1, overdue: 1 }]);
    expect(await after(25, { default: 24, [playbook]: 48 })).toMatchObject([{ overdue: 0 }]);
    expect(await after(25, {})).toMatchObject([{ overdue: 0 }]);
  });

  it('S4-59 lists each of many reviews that become overdue at one time, page by page', async () => {
    const { bench, store } = at();
    const cases: Decided[] = [];
    for (let n = 0; n < 3; n += 1) cases.push(await decided(bench));
    const until = new Date(NOW + 60_000).toISOString();
    for (const one of cases) await store.reviews.act(plain(act(bench, one, { act: 'snooze', until })));
    await store.database.rows('update runs set decided_at = $1', [new Date(NOW).toISOString()]);
    // The time of a page has no microseconds, so that a place after it is exact.
    await store.database.rows(`update reviews set snoozed_until = snoozed_until + interval '7 microseconds'`);
    const now = NOW + 120_000;
    const first = await store.reviews.becameOverdue({ at: NOW, runId: null }, now, { default: 0 }, 2);
    const place = { at: Date.parse(first[1]!.overdueAt), runId: first[1]!.runId };
    const second = await store.reviews.becameOverdue(place, now, { default: 0 }, 2);
    expect([...first, ...second].map(({ runId, overdueAt }) => [runId, overdueAt])).toEqual(
      cases.map(({ runId }) => [runId, until]),
    );
    const all = { at: place.at, runId: null };
    expect(await store.reviews.becameOverdue(all, now, { default: 0 }, 2)).toEqual([]);
  });

  it('S4-59 a snooze ends by itself', async () => {
    const { bench, store } = at();
    const one = await decided(bench);
    const until = new Date(NOW + 1_000).toISOString();
    await store.reviews.act(plain(act(bench, one, { act: 'snooze', until })));
    expect([await list(), await list({ state: 'snoozed' })]).toEqual([[], [one.caseId]]);
    expect((await detail(one.caseId)).state).toBe('snoozed');
    expect(await list({ now: NOW + 1_000 })).toEqual([one.caseId]);
  });

  it('S4-59 an act counts once under its id, and its event has actor, time and case', async () => {
    const { bench, store } = at();
    const one = await decided(bench);
    const given = act(bench, one, { note: 'I called them' });
    expect(await store.reviews.act(given)).toEqual({ repeated: false });
    expect(await store.reviews.act({ ...given, ids: { label: 'x', delivery: 'y' } })).toEqual({
      repeated: true,
    });
    const other = await decided(bench);
    await expect(store.reviews.act({ ...given, caseId: other.caseId })).rejects.toMatchObject({
      reasonCode: 'conflict',
    });
    const events = (await bench.events()).filter(({ type }) => type === 'review.corrected');
    expect(events).toMatchObject([
      { ...one, data: { by: 'ann', reason: 'I called them', outcome: { action: 'block' } } },
    ]);
    const { history, answers, state } = await detail(one.caseId);
    expect([history.length, answers.length, state]).toEqual([1, 1, 'answered']);
    expect((await store.feedback.find({ caseId: one.caseId, limit: 9 }))?.feedback).toMatchObject([
      { by: 'ann', agrees: false, outcome: { action: 'block' } },
    ]);
    await expect(store.reviews.act({ ...given, actId: 'n', caseId: 'x' })).rejects.toMatchObject({
      reasonCode: 'unknown_case',
    });
    await expect(store.reviews.act({ ...given, actId: 'n', runId: other.runId })).rejects.toMatchObject({
      reasonCode: 'conflict',
    });
  });

  it('S4-59 a correction is a row of its own, leaves when it is due, once, and the verdict of the run stays', async () => {
    const { bench, store } = at();
    const one = await decided(bench);
    const given = act(bench, one);
    await store.reviews.act(given);
    expect(await take(DUE - 1)).toEqual([]);
    const [leaving] = await take();
    expect(leaving).toMatchObject({
      ...one,
      deliveryId: given.ids.delivery,
      replaces: one.runId,
      verdict: { outcome: { action: 'block' } },
    });
    const found = await store.record.getCase(one.caseId);
    expect(found?.verdict).toMatchObject({ outcome: { action: 'block' } });
    expect(found?.runs[0]?.verdict).toMatchObject({ outcome: { action: 'warn' } });
    expect(await store.deliveries.of(one.runId, given.ids.delivery)).toEqual(leaving);
    expect(await store.deliveries.of(one.runId)).not.toEqual(leaving);
    await store.reviews.markCorrectionsSent([given.ids.delivery], DUE);
    expect(await take(DUE + 3_600_000)).toEqual([]);
  });

  it('S4-59 a sender that dies after it took a correction loses nothing: it is due again, with its id', async () => {
    const { bench, store, other } = at();
    const one = await decided(bench);
    await store.reviews.act(act(bench, one));
    const [first] = await take();
    expect(await other.reviews.takeCorrections(DUE + 1_000, 9, KINDS)).toEqual([]);
    expect(await other.reviews.takeCorrections(DUE + 30_000, 9, KINDS)).toEqual([first]);
  });

  it('S4-59 an undo before the correction leaves sends nothing; a later one is a further replacement', async () => {
    const { bench, store } = at();
    const one = await decided(bench);
    const undo = () => store.reviews.act(plain(act(bench, one, { act: 'undo' })));
    await store.reviews.act(act(bench, one));
    await undo();
    expect(await sent()).toEqual([]);
    expect(await list()).toEqual([one.caseId]);
    expect((await store.feedback.find({ caseId: one.caseId, limit: 9 }))?.feedback).toEqual([]);
    await store.reviews.act(act(bench, one));
    expect(await sent()).toEqual(['block']);
    await undo();
    const [restored] = await take();
    expect(restored).toMatchObject({
      replaces: one.runId,
      verdict: { outcome: { action: 'warn' }, disposition: 'review', decidedBy: { person: 'ann' } },
    });
    expect((await store.record.getCase(one.caseId))?.verdict).toMatchObject({ outcome: { action: 'warn' } });
    await expect(undo()).rejects.toMatchObject({ reasonCode: 'conflict' });
  });

  it('S4-59 an undo while the correction is being sent does not hold it back', async () => {
    const { bench, store } = at();
    const one = await decided(bench);
    await store.reviews.act(act(bench, one));
    const [taken] = await take();
    await store.reviews.act(plain(act(bench, one, { act: 'undo' })));
    // The replacement waits until the correction is out.
    expect(await take(DUE + 20_000)).toEqual([]);
    await store.reviews.markCorrectionsSent([taken!.deliveryId], DUE);
    expect(await sent(DUE + 20_000)).toEqual(['warn']);
  });

  it('S4-59 the correction of a verdict that does not leave stays too', async () => {
    const { bench, store } = at();
    const one = await decided(bench, {}, null);
    await store.reviews.act(act(bench, one));
    expect(await sent(DUE + 3_600_000)).toEqual([]);
    expect(await detail(one.caseId)).toMatchObject({
      standing: { outcome: { action: 'block' } },
      correction: { dueAt: null, sentAt: null },
    });
  });

  it('S4-59 two people in 200 races: both answers are kept, the conflict is shown, and the newest one leaves', async () => {
    const { bench, store, other } = at();
    const ids: Decided[] = [];
    for (let i = 0; i < 200; i += 1) ids.push(await decided(bench));
    // In groups, so that no act waits for a connection past its limit on a busy machine.
    for (let from = 0; from < ids.length; from += 20)
      await Promise.all(
        ids
          .slice(from, from + 20)
          .flatMap((one) => [
            store.reviews.act(act(bench, one)),
            other.reviews.act(act(bench, one, { by: 'ben', outcome: { action: 'allow' } })),
          ]),
      );
    const newest: unknown[] = [];
    for (const { caseId } of ids) {
      const { state, answers, history, standing } = await detail(caseId);
      expect([state, answers.map(({ by }) => by).sort(), history.length]).toEqual([
        'disputed',
        ['ann', 'ben'],
        2,
      ]);
      expect(standing['outcome']).toEqual(answers.at(-1)?.outcome);
      newest.push((standing['outcome'] as { action: string }).action);
      expect((await store.feedback.find({ caseId, limit: 9 }))?.feedback).toHaveLength(2);
    }
    expect([...(await sent()), ...(await sent())].sort()).toEqual(newest.sort());
    expect(await list({ state: 'disputed', limit: 500 })).toHaveLength(200);
  });

  it('S4-59 a repeat of an answered case is a proposal: the answer stays, and nothing waits or leaves', async () => {
    const { bench, store } = at();
    const alert = { fingerprint: 'same', holdOffMs: 0 };
    const body = { ...aVerdict('warn'), disposition: 'review' };
    const one = await bench.accept(alert);
    await bench.decide(one.runId, { body });
    await store.reviews.act(act(bench, one));
    const ids = { runId: bench.ids.id() };
    const again = await bench.accept({ ...alert, ...ids });
    expect(again).toMatchObject({ caseId: one.caseId, runId: one.runId, joined: true });
    expect(again.nudges).toMatchObject([ids]);
    const { work } = (await store.units.claim(aClaimRequest(ids.runId))) as { work: ClaimedWork };
    expect(work.settings.outward).toBe(false);
    const verdict = { artifact: { name: 'verdict' as const, body }, deliveryId: null };
    await bench.commit(work.lease, (at) => moves.decideRun(at, verdict));
    expect([await list(), await list({ state: 'answered' })]).toEqual([[], [one.caseId]]);
    expect(await detail(one.caseId)).toMatchObject({ runId: one.runId, state: 'answered' });
    expect((await store.record.getCase(one.caseId))?.verdict).toMatchObject({ outcome: { action: 'block' } });
    expect(await store.reviews.waiting(NOW, {})).toEqual([]);
  });

  it('S4-59 a newer occurrence of the case waits again, and the answer to the earlier one stays in the history', async () => {
    const { bench, store } = at();
    let minute = 0;
    const alert = () => ({
      fingerprint: 'same',
      occurrence: {
        startedAt: new Date(NOW + (minute += 1) * 60_000).toISOString(),
        resolved: false,
        mostRunsPerHour: 6,
        closes: false,
      },
    });
    const body = { ...aVerdict('warn'), disposition: 'review' };
    const one = await bench.accept(alert());
    await bench.decide(one.runId, { body });
    const answer = act(bench, one);
    await store.reviews.act(answer);
    expect(await list()).toEqual([]);
    const again = await bench.accept(alert());
    expect([again.caseId, again.joined]).toEqual([one.caseId, true]);
    await bench.decide(again.runId, { body });
    expect(await list()).toEqual([one.caseId]);
    expect(await detail(one.caseId)).toMatchObject({
      state: 'open',
      runId: again.runId,
      answers: [],
      history: [{ actId: answer.actId, runId: one.runId }],
      standing: { outcome: { action: 'warn' } },
      correction: null,
    });
    // The answer to the earlier verdict does not leave after the newer one, and holds nothing back.
    expect(await take(NOW)).toEqual([]);
    expect(await take()).toEqual([]);
    await bench.decide((await bench.accept(alert())).runId, { body: aVerdict('warn') });
    const pending = `select id from corrected_verdicts where due_at is not null and sent_at is null and cancelled_at is null`;
    expect(await store.database.rows(pending)).toEqual([]);
    await store.database.rows('update deliveries set delivered_at = now()');
    expect(await blockedAmong(store.database, [one.caseId])).toEqual([]);
    expect(await list({ state: 'answered' })).toEqual([]);
    const late = act(bench, one, { runId: one.runId });
    await expect(store.reviews.act(late)).rejects.toMatchObject({ reasonCode: 'conflict' });
  });

  it('S4-59 a correction leaves while a later run judges the case, and not after the verdict of a later run', async () => {
    const { bench } = at();
    const occurring = (fingerprint: string, minute: number) => {
      const startedAt = new Date(NOW + minute * 60_000).toISOString();
      return { fingerprint, occurrence: { startedAt, resolved: false, mostRunsPerHour: 6, closes: false } };
    };
    const body = { ...aVerdict('warn'), disposition: 'review' };
    const [one, two] = [await bench.accept(occurring('a', 1)), await bench.accept(occurring('b', 1))];
    for (const { runId, caseId } of [one, two]) {
      await bench.decide(runId, { body });
      await at().store.reviews.act(act(bench, { caseId, runId }));
    }
    const second = await bench.accept(occurring('a', 2));
    await bench.decide(second.runId, { body });
    // Both cases are open: the first one has a later verdict, the second one has none.
    await bench.accept(occurring('a', 3));
    await bench.accept(occurring('b', 2));
    expect((await take()).map(({ caseId }) => caseId)).toEqual([two.caseId]);
  });

  it('S4-59 shows others who has the case open, for a minute', async () => {
    const { bench, store } = at();
    const one = await decided(bench);
    await store.reviews.view(one.caseId, 'ben', NOW);
    await store.reviews.view(one.caseId, 'ann', NOW);
    await store.reviews.view(one.caseId, 'ann', NOW + 30_000);
    expect((await detail(one.caseId)).viewers).toEqual(['ann', 'ben']);
    expect((await store.reviews.get(one.caseId, NOW + 61_000))?.viewers).toEqual(['ann']);
    expect(await store.reviews.get('x', NOW)).toBeNull();
  });
});

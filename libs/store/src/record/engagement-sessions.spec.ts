import { type VerdictEffect, type Lease, moves } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();

const effect = (over: Partial<VerdictEffect> = {}): VerdictEffect => ({
  kind: 'session',
  sessionId: null,
  conversation: null,
  action: 'engage',
  stage: 'opened',
  category: 'kyc_banking',
  confidence: 0.9,
  redFlags: ['haste'],
  ...over,
});
const decided = async (...effects: VerdictEffect[]) => {
  const { bench } = at();
  const accepted = await bench.accept();
  await bench.decide(accepted.runId, { effects });
  return accepted;
};

describe('engagement sessions', () => {
  it('S3-42 whatever a playbook calls its action, it opens one with the verdict, known by its run', async () => {
    const { store, bench } = at();
    for (const action of ['engage', 'probe', 'call-courier']) {
      const { runId, caseId } = await bench.accept();
      expect(await store.engagements.get(runId)).toBeNull();
      await bench.decide(runId, { effects: [effect({ action })] });
      const said = {
        action,
        stage: 'opened',
        category: 'kyc_banking',
        confidence: 0.9,
        redFlags: ['haste'],
      };
      expect(await store.engagements.get(runId)).toEqual({
        id: runId,
        caseId,
        ...said,
        conversation: null,
        messages: 1,
        closedAt: null,
        createdAt: expect.stringMatching(/^\d{4}-/),
        updatedAt: expect.stringMatching(/^\d{4}-/),
        history: [{ runId, caseId, ...said, at: expect.stringMatching(/^\d{4}-/) }],
      });
    }
  });

  it('S3-42 ignore opens none, nor does a lane without outward effect, nor a lease that is over', async () => {
    const { store, bench } = at();
    const ignored = await decided();
    const silent = await bench.accept();
    await bench.decide(silent.runId, { effects: [effect()], deliveryId: null });
    const stale = await bench.accept();
    const { lease } = await bench.claim(stale.runId);
    const artifact = { name: 'verdict' as const, body: {} };
    const change = (at: Lease) =>
      moves.decideRun(at, { artifact, deliveryId: bench.ids.id(), effects: [effect()] });
    const old = { ...lease, epoch: lease.epoch - 1 };
    expect(await store.units.commit(bench.commitRequest(old, change))).toEqual({ kind: 'stale' });
    for (const { runId } of [ignored, silent, stale]) expect(await store.engagements.get(runId)).toBeNull();
    expect(await store.engagements.get('no id')).toBeNull();
    expect(await store.engagements.close('no id')).toBeNull();
    expect(await store.engagements.close(ignored.runId)).toBeNull();
  });

  it('S3-45 messages of one conversation share one, as the newest left it, with their history', async () => {
    const { store, bench } = at();
    const sessionId = bench.ids.id();
    const conversation = `chat-${sessionId}`;
    const first = await decided(effect({ sessionId, conversation, action: 'probe', confidence: 0.5 }));
    const second = await decided(
      effect({ sessionId, conversation, category: 'parcel', redFlags: ['fee', 'haste'] }),
    );
    const other = await decided(effect());
    const session = await store.engagements.get(sessionId);
    expect(session).toMatchObject({
      id: sessionId,
      conversation,
      caseId: second.caseId,
      messages: 2,
      stage: 'continued',
      action: 'engage',
      category: 'parcel',
      redFlags: ['fee', 'haste'],
      closedAt: null,
    });
    expect(session?.history.map(({ runId, action }) => [runId, action])).toEqual([
      [second.runId, 'engage'],
      [first.runId, 'probe'],
    ]);
    expect(await store.engagements.get(other.runId)).toMatchObject({ messages: 1, conversation: null });
    expect((await store.engagements.find({ conversation, limit: 10 })).engagements).toMatchObject([
      { id: sessionId, messages: 2 },
    ]);
  });

  it('S3-45 two messages of a conversation that are decided at once are both on its session', async () => {
    const { store, bench } = at();
    const sessionId = bench.ids.id();
    const ends = await Promise.all(
      [0.6, 0.7].map(async (confidence) => {
        const { runId } = await bench.accept();
        const { lease } = await bench.claim(runId);
        const artifact = { name: 'verdict' as const, body: {} };
        const effects = [effect({ sessionId, conversation: 'c', confidence })];
        return bench.commitRequest(lease, (at: Lease) =>
          moves.decideRun(at, {
            artifact,
            deliveryId: bench.ids.id(),
            effects,
          }),
        );
      }),
    );
    await Promise.all(ends.map((request) => store.units.commit(request)));
    const found = await store.engagements.get(sessionId);
    expect(found?.messages).toBe(2);
    expect(found?.history.map(({ confidence }) => confidence).sort()).toEqual([0.6, 0.7]);
  });

  it('S3-46 they are listed by their newest message, page by page, open and closed', async () => {
    const { store, bench } = at();
    const conversation = `pages-${bench.ids.id()}`;
    const ids = [bench.ids.id(), bench.ids.id(), bench.ids.id()];
    for (const sessionId of [...ids, ids[0]!]) await decided(effect({ sessionId, conversation }));
    const order = [ids[0], ids[2], ids[1]];
    const first = await store.engagements.find({ conversation, limit: 2 });
    expect(first.engagements.map(({ id }) => id)).toEqual(order.slice(0, 2));
    const rest = await store.engagements.find({ conversation, limit: 2, cursor: first.nextCursor! });
    expect(rest.engagements.map(({ id }) => id)).toEqual(order.slice(2));
    expect(rest.nextCursor).toBeNull();
    expect(first.engagements[0]).not.toHaveProperty('history');
    const closed = await store.engagements.close(ids[1]!);
    expect(closed).toMatchObject({ id: ids[1], stage: 'closed', closedAt: expect.any(String) });
    expect(await store.engagements.close(ids[1]!)).toEqual(closed);
    const states = async (state: 'open' | 'closed') =>
      (await store.engagements.find({ conversation, state, limit: 10 })).engagements.map(({ id }) => id);
    expect(await states('closed')).toEqual([ids[1]]);
    expect(await states('open')).toEqual([ids[0], ids[2]]);
    await expect(store.engagements.find({ limit: 1, cursor: 'nobody’s' })).rejects.toThrow(/cursor/);
  });

  it('S3-46 a later message of a closed conversation opens its session again', async () => {
    const { store, bench } = at();
    const sessionId = bench.ids.id();
    const message = effect({ sessionId, conversation: 'again' });
    await decided(message);
    await store.engagements.close(sessionId);
    await decided(message);
    expect(await store.engagements.get(sessionId)).toMatchObject({
      closedAt: null,
      stage: 'continued',
      messages: 2,
    });
  });
});

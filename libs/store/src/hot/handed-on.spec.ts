import type { Lease } from '@casefile/contracts';
import { aClaimRequest } from '@casefile/contracts/testing';
import { testRecord } from '../testing/test-record.js';
import { aReservation } from '../testing/store-bench.js';
import { advanceTo, aResult } from '../testing/store-bench.js';

const LEASE_MS = 6_000;
const COLLECT = { stage: 'collect' } as const;
const EVIDENCE = { artifact: { name: 'evidence' as const, body: { items: [] } } };

const at = testRecord();

/** A unit that is due at `collect`, and the right of the process that made it due. */
const handedOn = async () => {
  const { bench } = at();
  const { runId, caseId } = await bench.accept();
  const { lease } = await bench.claim(runId);
  await bench.advance(lease, 'collect');
  const unclaimed: Lease = { ...lease, stage: 'collect', claimsForMs: LEASE_MS };
  return { runId, caseId, unclaimed };
};

describe('a lease that claims with its first write', () => {
  it('commits a unit that is due, once', async () => {
    const { bench, store } = at();
    const { unclaimed, caseId } = await handedOn();
    const committed = await bench.advance(unclaimed, 'reason', EVIDENCE);
    expect(committed.nudges).toMatchObject([{ stage: 'reason', nudge: 3 }]);
    const again = bench.commitRequest(unclaimed, advanceTo('reason', EVIDENCE));
    expect(await store.units.commit(again)).toEqual({ kind: 'stale' });
    const [run] = (await store.record.getCase(caseId))!.runs;
    expect(run).toMatchObject({ stage: 'reason', artifacts: [{}, {}] });
  });

  it('R5 is refused everything once somebody has claimed the unit', async () => {
    const { bench, store, other } = at();
    const { runId, caseId, unclaimed } = await handedOn();
    const claim = await other.units.claim(aClaimRequest(runId, COLLECT));
    expect(claim).toMatchObject({ kind: 'claimed', work: { lease: { epoch: unclaimed.epoch + 1 } } });
    expect(await store.interactions.intend(bench.intent(unclaimed))).toBe(false);
    expect(await store.units.commit(bench.commitRequest(unclaimed, advanceTo('reason', EVIDENCE)))).toEqual({
      kind: 'stale',
    });
    expect(await store.units.release(unclaimed)).toEqual([]);
    const [run] = (await store.record.getCase(caseId))!.runs;
    expect(run).toMatchObject({ stage: 'collect', interactions: [], artifacts: [{}] });
  });

  it('R5 claims the unit with an intent: nobody else may take it until the lease has run out', async () => {
    const { bench, store, other, passTime } = at();
    const { runId, unclaimed } = await handedOn();
    const intent = bench.intent(unclaimed);
    expect(await store.interactions.intend(intent)).toBe(true);
    // Its answer was lost: it is sent again.
    expect(await store.interactions.intend(intent)).toBe(true);
    expect(await other.units.claim(aClaimRequest(runId, COLLECT))).toMatchObject({ reason: 'leased' });
    const { claimsForMs: _, ...claimed } = unclaimed;
    await passTime(LEASE_MS - 1_000);
    expect(await store.units.renew([claimed], LEASE_MS)).toEqual([]);
    await passTime(LEASE_MS - 1_000);
    expect(await other.units.claim(aClaimRequest(runId, COLLECT))).toMatchObject({ reason: 'leased' });
    const results = [aResult(intent.interaction.id)];
    expect((await bench.commit(claimed, advanceTo('reason', EVIDENCE), { results })).kind).toBe('committed');
  });

  it('R2 finds the answer of its intent after a crash, which counts as one', async () => {
    const { bench, store, passTime } = at();
    const { runId, unclaimed } = await handedOn();
    await store.interactions.intend(bench.intent(unclaimed));
    await passTime(LEASE_MS + 1);
    const work = await bench.claim(runId, COLLECT);
    expect(work.crashes).toBe(1);
    expect(work.interactions).toMatchObject([{ state: 'ambiguous' }]);
  });

  it('R3 writes an intent with the commit that claims its stage, whatever was written before in the same flush', async () => {
    const { bench, store } = at();
    const [first, other] = [await bench.accept(), await bench.accept()];
    const { lease } = await bench.claim(first.runId);
    const { lease: others } = await bench.claim(other.runId);
    const change = advanceTo('collect');
    const written = await Promise.all([
      // Goes at once, so that the others go together.
      store.deliveries.markDelivered([]),
      store.interactions.intend(bench.intent(others)),
      store.units.commit({ ...bench.commitRequest(lease, change), claimForMs: LEASE_MS }),
      store.interactions.intend(bench.intent({ ...lease, stage: 'collect', epoch: lease.epoch + 1 })),
    ]);
    expect(written).toMatchObject([undefined, true, { kind: 'committed' }, true]);
    const [run] = (await store.record.getCase(first.caseId))!.runs;
    expect(run).toMatchObject({ interactions: [{ stage: 'collect' }], units: [{ status: 'running' }] });
  });

  it('R5 refuses an intent with a commit whose lease was lost', async () => {
    const { bench, store } = at();
    const { runId } = await bench.accept();
    const { lease } = await bench.claim(runId);
    await store.units.release(lease);
    const work = await bench.claim(runId);
    const next = { ...lease, stage: 'collect', epoch: lease.epoch + 1 };
    const written = await Promise.all([
      store.units.commit({ ...bench.commitRequest(lease, advanceTo('collect')), claimForMs: LEASE_MS }),
      store.interactions.intend(bench.intent(next)),
    ]);
    expect(written).toEqual([{ kind: 'stale' }, false]);
    expect(await store.units.renew([work.lease], LEASE_MS)).toEqual([]);
  });

  it('leaves the unit due where a budget refuses the intent', async () => {
    const { bench, store } = at();
    const { runId, unclaimed } = await handedOn();
    const reservations = [aReservation({ amount: 2_000 })];
    await expect(
      store.interactions.intend({ ...bench.intent(unclaimed), reservations }),
    ).rejects.toMatchObject({ reasonCode: 'budget_exhausted' });
    expect((await bench.claim(runId, COLLECT)).crashes).toBe(0);
  });

  it('claims each of many that write at once by its own right', async () => {
    const { bench, store } = at();
    const made = await Promise.all(Array.from({ length: 4 }, handedOn));
    await bench.claim(made[1]!.runId, COLLECT);
    const written = made.map(({ unclaimed }) => store.interactions.intend(bench.intent(unclaimed)));
    expect(await Promise.all(written)).toEqual([true, false, true, true]);
  });

  it('gives the unit back, and it is due as before', async () => {
    const { bench, store } = at();
    const { runId, unclaimed } = await handedOn();
    expect(await store.units.release(unclaimed)).toMatchObject([{ stage: 'collect', nudge: 3 }]);
    expect((await bench.claim(runId, COLLECT)).crashes).toBe(0);
  });

  it('is refused while the unit is held back', async () => {
    const { bench, store } = at();
    const { unclaimed } = await handedOn();
    await store.units.release(unclaimed, 60_000);
    expect(await store.interactions.intend(bench.intent(unclaimed))).toBe(false);
  });

  it('R5 is claimed by its first renewal, and lost where somebody else has claimed it', async () => {
    const { bench, store, other, passTime } = at();
    const [kept, lost] = [await handedOn(), await handedOn()];
    await bench.claim(lost.runId, COLLECT);
    expect(await store.units.renew([kept.unclaimed, lost.unclaimed], LEASE_MS)).toEqual([lost.unclaimed]);
    expect(await other.units.claim(aClaimRequest(kept.runId, COLLECT))).toMatchObject({ reason: 'leased' });
    await passTime(LEASE_MS + 1);
    expect((await bench.claim(kept.runId, COLLECT)).crashes).toBe(1);
  });

  it('R17 has no right to a unit any more that was given back', async () => {
    const { bench, store } = at();
    const { runId, unclaimed } = await handedOn();
    await store.units.release(unclaimed);
    expect(await store.units.renew([unclaimed], LEASE_MS)).toEqual([unclaimed]);
    expect(await store.interactions.intend(bench.intent(unclaimed))).toBe(false);
    expect((await bench.claim(runId, COLLECT)).crashes).toBe(0);
  });

  it('R14 counts the first crash of a stage that was begun without a claim, and the others by their leases', async () => {
    const { bench, store, passTime } = at();
    const { runId } = await handedOn();
    const begun = { ...COLLECT, isBegunBefore: true };
    expect((await bench.claim(runId, begun)).crashes).toBe(1);
    await passTime(LEASE_MS + 1);
    const work = await bench.claim(runId, begun);
    expect(work.crashes).toBe(2);
    // Whoever only had its job when another one killed the process has not crashed.
    await store.units.release(work.lease);
    const again = await bench.claim(runId, begun);
    expect(again.crashes).toBe(2);
    await passTime(LEASE_MS + 1);
    expect(await store.units.claim(aClaimRequest(runId, begun))).toMatchObject({ reason: 'quarantined' });
  });
});

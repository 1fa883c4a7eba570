import { randomUUID } from 'node:crypto';
import type { AttemptEnd } from '@casefile/contracts';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const HOUR_MS = 3_600_000;
const LIMITS = { forMs: 5 * 24 * HOUR_MS, deliveries: 2 };
const NOW = Date.parse('2026-01-05T10:00:00.000Z');

/** Adds a delivery and takes it. Returns how its attempt at `now` ends, with or without a problem. */
async function attempted(problem: string | null, now: number): Promise<AttemptEnd> {
  const { store } = at();
  const id = randomUUID();
  const own = { caseId: null, runId: null, openUntil: null };
  await store.destinations.add([{ id, destination: 'pager', kind: 'verdict', key: id, ...own }], now);
  await store.destinations.take('pager', now, now + 1_000, 8);
  return {
    deliveryId: id,
    destination: 'pager',
    attempt: { at: new Date(now).toISOString(), status: null, latencyMs: 1, problem, response: null },
    message: null,
    nextAt: problem === null ? null : now + HOUR_MS,
    pauseWhy: null,
    countsAsFailure: true,
  };
}

async function settled(problem: string | null, now: number): Promise<string | null> {
  return at().store.destinations.settle(await attempted(problem, now), now, LIMITS);
}

const state = async () => (await at().store.destinations.states(['pager']))[0];

describe('the state of a destination', () => {
  it('fails since its first failure, until a success, and is paused when all failed for too long', async () => {
    expect(await settled('HTTP 500', NOW)).toBeNull();
    expect(await settled('HTTP 500', NOW + HOUR_MS)).toBeNull();
    expect(await state()).toMatchObject({
      failingSince: '2026-01-05T10:00:00.000Z',
      pausedAt: null,
    });
    expect(await settled(null, NOW + 2 * HOUR_MS)).toBeNull();
    expect(await state()).toMatchObject({ failingSince: null });
    expect(await settled('HTTP 500', NOW + 3 * HOUR_MS)).toBeNull();
    expect(await state()).toMatchObject({ failingSince: '2026-01-05T13:00:00.000Z' });
    expect(await settled('HTTP 500', NOW + 3 * HOUR_MS + LIMITS.forMs)).toBe(
      'All 2 deliveries since 2026-01-05T13:00:00.000Z failed.',
    );
    expect(await state()).toMatchObject({ pausedBy: 'casefile' });
  });

  it('has its last failure with its problem, of all failures within a second the first', async () => {
    await settled('HTTP 429', NOW);
    await settled('HTTP 500', NOW + 900);
    const first = { failingSince: '2026-01-05T10:00:00.000Z', lastFailureAt: '2026-01-05T10:00:00.000Z' };
    expect(await state()).toMatchObject({ ...first, lastProblem: 'HTTP 429' });
    await settled('no answer', NOW + 5_000);
    const second = { ...first, lastFailureAt: '2026-01-05T10:00:05.000Z' };
    expect(await state()).toMatchObject({ ...second, lastProblem: 'no answer' });
  });

  it('does not fail when a message could not be composed, because no request was made', async () => {
    const end = { ...(await attempted('unknown kind', NOW)), countsAsFailure: false };
    expect(await at().store.destinations.settle(end, NOW, LIMITS)).toBeNull();
    expect(await state()).toMatchObject({ failingSince: null, lastProblem: null, pending: 1 });
    const { deliveries } = await at().store.destinations.list({ limit: 10 });
    expect(deliveries[0]?.attempts).toMatchObject([{ problem: 'unknown kind' }]);
  });

  it('still fails after a person resumed it, and is paused again after the whole time', async () => {
    const { destinations } = at().store;
    await settled('HTTP 500', NOW);
    await settled('HTTP 500', NOW + 1_000);
    await destinations.pause('pager', 'ann', 'maintenance', NOW + HOUR_MS);
    const resumed = NOW + LIMITS.forMs;
    await destinations.resume('pager', 'ann', 'done', resumed);
    expect(await state()).toMatchObject({ pausedAt: null, failingSince: '2026-01-05T10:00:00.000Z' });
    expect(await settled('HTTP 500', resumed)).toBeNull();
    expect(await settled('HTTP 500', resumed + LIMITS.forMs - 1)).toBeNull();
    expect(await settled('HTTP 500', resumed + LIMITS.forMs)).toBe(
      'All 3 deliveries since 2026-01-10T10:00:00.000Z failed.',
    );
  });

  it('is not locked by a failure that follows another, so that failures do not wait for each other', async () => {
    await settled('HTTP 500', NOW);
    const next = await attempted('HTTP 500', NOW + 1);
    await at().store.database.transaction(async (tx) => {
      await tx.rows(`select from destinations where name = 'pager' for update`);
      // This would wait for the end of the transaction, which waits for this.
      expect(await at().store.destinations.settle(next, NOW + 1, LIMITS)).toBeNull();
    });
  });
});

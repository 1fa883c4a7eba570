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
  };
}

async function settled(problem: string | null, now: number): Promise<string | null> {
  return at().store.destinations.settle(await attempted(problem, now), now, LIMITS);
}

describe('the state of a destination', () => {
  it('fails since its first failure, until a success, and is paused when all failed for too long', async () => {
    const state = async () => (await at().store.destinations.states(['pager']))[0];
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

import { randomUUID } from 'node:crypto';
import type { NewOutboundDelivery, NoticedCondition } from '@casefile/contracts';
import type { PostgresStore } from '../create-postgres-store.js';

/** Time of the deliveries of tests, in milliseconds. */
export const NOW = Date.parse('2026-01-05T10:00:00.000Z');

/** A condition that is open. */
export const aCondition: NoticedCondition = {
  id: 'provider_out',
  severity: 'error',
  since: null,
  text: 'The provider is not available',
  effect: 'Its cases wait.',
  act: 'Check its key.',
  link: '/',
  openedAt: new Date(NOW).toISOString(),
  closedAt: null,
};

/** Returns the delivery of an opened condition. */
export function aDelivery(over: Partial<NewOutboundDelivery> = {}): NewOutboundDelivery {
  const id = randomUUID();
  return {
    id,
    destination: 'oncall',
    kind: 'condition-opened',
    key: id,
    caseId: null,
    runId: null,
    openUntil: null,
    subject: 'condition provider_out',
    event: { condition: aCondition },
    ...over,
  };
}

/** Records that the receiver answered a delivery. */
export async function answered(
  store: Pick<PostgresStore, 'destinations'>,
  { id, destination }: Pick<NewOutboundDelivery, 'id' | 'destination'>,
  now: number,
  problem: string | null = null,
): Promise<void> {
  const attempt = { at: new Date(now).toISOString(), status: 200, latencyMs: 1, problem, response: null };
  const next = { message: 'm', nextAt: now + 5_000, pauseWhy: null, countsAsFailure: true };
  const end = { deliveryId: id, destination, attempt, ...next };
  await store.destinations.settle(end, now, { forMs: 1e9, deliveries: 100 });
}

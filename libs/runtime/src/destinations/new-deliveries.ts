import { createHash } from 'node:crypto';
import type { DeliveryKind, NewOutboundDelivery } from '@casefile/contracts';
import type { ActiveDestination } from '../config/added-destinations.js';
import { OUTBOUND_FORMATS } from './formats.js';

/**
 * 30 days, in milliseconds. If the sender of an alert resolves it within this time after the verdict, the
 * destination is notified. Later ends are not reported.
 */
const OPEN_FOR_MS = 30 * 86_400_000;

/** Returns the id of a delivery that is written once per destination and cause: a digest of both. */
export function causedId(destination: string, key: string): string {
  const hex = createHash('sha256').update(`${destination} ${key}`).digest('hex');
  // A UUID of version 8, whose content is up to its author.
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}

/** Returns until when a destination is notified of the end of an alert, in milliseconds; null: it is not notified. */
export function openUntil({ type }: Pick<ActiveDestination, 'type'>, now: number): number | null {
  return OUTBOUND_FORMATS[type].reportsResolved ? now + OPEN_FOR_MS : null;
}

/** Returns a delivery about a verdict. A destination that reports resolved alerts is notified of their end. */
export function verdictDelivery(
  destination: Pick<ActiveDestination, 'name' | 'type'>,
  kind: Extract<DeliveryKind, 'verdict' | 'review-needed' | 'review-overdue'>,
  about: Pick<NewOutboundDelivery, 'key' | 'caseId' | 'runId' | 'event'>,
  now: number,
): NewOutboundDelivery {
  const { name } = destination;
  const id = causedId(name, about.key);
  return { ...about, id, destination: name, kind, openUntil: openUntil(destination, now) };
}

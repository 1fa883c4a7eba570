import { createHash } from 'node:crypto';
import type {
  DeliveryKind,
  Destinations,
  NewOutboundDelivery,
  VerdictMessage,
  WithheldVerdict,
} from '@casefile/contracts';
import type { ActiveDestination } from '../config/added-destinations.js';
import { OUTBOUND_FORMATS } from './formats.js';
import { matchesReview, matchesWhen } from './matches-when.js';

/**
 * 30 days, in milliseconds. If the sender of an alert resolves it within this time after the verdict, the
 * destination is notified. Later ends are not reported.
 */
export const OPEN_FOR_MS = 30 * 86_400_000;

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

/** Reads the labels of an alert. They cost a query, so they are read only if the rule of a destination uses them. */
export async function labelsAsked(
  { destinations: store }: { destinations: Pick<Destinations, 'labels'> },
  destinations: readonly Pick<ActiveDestination, 'when'>[],
  runId: string,
): Promise<Record<string, string>> {
  return destinations.some(({ when }) => when.labels !== undefined) ? store.labels(runId) : {};
}

/** Returns the deliveries that a verdict leads to at a destination. `labels` are those of its alert. */
export function messageDeliveries(
  destination: Pick<ActiveDestination, 'name' | 'type' | 'when'>,
  message: VerdictMessage,
  labels: Readonly<Record<string, string>>,
  { now, answerWithinHours }: { now: number; answerWithinHours: Readonly<Record<string, number>> },
): NewOutboundDelivery[] {
  const { when } = destination;
  const { deliveryId, caseId, runId, playbook, verdict } = message;
  const deliveries: NewOutboundDelivery[] = [];
  if (matchesWhen(when, message, labels))
    deliveries.push(verdictDelivery(destination, 'verdict', { key: deliveryId, caseId, runId }, now));
  // A person's own answer opens no review.
  const opensReview = verdict.disposition === 'review' && verdict.decidedBy === undefined;
  if (opensReview && matchesReview(when, message, labels)) {
    const withinHours = answerWithinHours[playbook] ?? answerWithinHours['default'] ?? null;
    const event = { verdictId: deliveryId, review: { since: verdict.decidedAt, withinHours } };
    const about = { key: `review ${deliveryId}`, caseId, runId, event };
    deliveries.push(verdictDelivery(destination, 'review-needed', about, now));
  }
  return deliveries;
}

/** Returns the verdicts that silences withhold. `silenced`: ids of silences by ids of runs. */
export function withheldVerdicts(
  messages: readonly VerdictMessage[],
  silenced: ReadonlyMap<string, string>,
  deliveries: readonly NewOutboundDelivery[],
): WithheldVerdict[] {
  return messages.flatMap(({ runId, caseId, deliveryId, verdict }) => {
    const silenceId = silenced.get(runId);
    if (silenceId === undefined) return [];
    const isPage = deliveries.some((delivery) => delivery.runId === runId);
    const isCritical =
      isPage && verdict.outcome['severity'] === 'critical' && verdict.disposition !== 'dismiss';
    return [{ runId, caseId, silenceId, deliveryId, isCritical }];
  });
}

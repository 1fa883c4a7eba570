import {
  isWithheld,
  type Clock,
  type Destinations,
  type Logger,
  type NewOutboundDelivery,
  type OverduePlace,
  type OverdueReview,
  type Reviews,
  type VerdictMessage,
} from '@casefile/contracts';
import type { ActiveDestination } from '../config/added-destinations.js';
import { matchesReview, receives } from '../destinations/matches-when.js';
import { labelsAsked, verdictDelivery } from '../destinations/new-deliveries.js';
import { silencesOf, type GatePorts } from '../silences/silence-gate.js';

/** Number of overdue reviews that are read at a time. */
const PAGE = 500;
/** Reviews that became overdue longer ago than this are not reported, in milliseconds. */
const OLDEST_MS = 86_400_000;
/**
 * Time before the last reported review that each pass reads again, in milliseconds: the transaction of a verdict may
 * have been open at the last pass. What was reported already is not written twice.
 */
const AGAIN_MS = 60_000;
/** Whether a silence withholds messages about reviews. */
const WITHHOLDS_REVIEWS = isWithheld({ about: 'review', byPerson: false, isSilenced: true });
/** Name of the reported reviews on the record. */
const OVERDUE = 'review-overdue';

export interface OverduePorts {
  store: GatePorts['store'] & {
    destinations: Pick<Destinations, 'add' | 'labels' | 'reportedUntil' | 'setReportedUntil'>;
    reviews: Pick<Reviews, 'becameOverdue'>;
  };
  clock: Pick<Clock, 'now'>;
  log: Pick<Logger, 'warn'>;
  /** Hours within which a person should answer, by kind; `default`: of the other kinds. */
  answerWithinHours: Readonly<Record<string, number>>;
}

type AskingDestinations = readonly Pick<ActiveDestination, 'name' | 'type' | 'when'>[];

/**
 * Writes a message for each review that became overdue since the last call. At the first call nothing is reported, so
 * that a new installation gets no message about each old review.
 * @returns the number of deliveries.
 */
export async function reportOverdue(ports: OverduePorts, destinations: AskingDestinations): Promise<number> {
  const { store, clock } = ports;
  const now = clock.now();
  const until = await store.destinations.reportedUntil(OVERDUE);
  const asking = destinations.filter(({ when }) => receives(when, 'review'));
  const count =
    until === null || asking.length === 0
      ? 0
      : await addOverdue(ports, asking, Math.max(until - AGAIN_MS, now - OLDEST_MS), now);
  await store.destinations.setReportedUntil(OVERDUE, now);
  return count;
}

async function addOverdue(
  ports: OverduePorts,
  asking: AskingDestinations,
  from: number,
  now: number,
): Promise<number> {
  const { store, answerWithinHours } = ports;
  let count = 0;
  for (let after: OverduePlace = { at: from, runId: null }; ;) {
    const reviews = await store.reviews.becameOverdue(after, now, answerWithinHours, PAGE);
    const listed: NewOutboundDelivery[] = [];
    const silences = await silencesOf(
      ports,
      reviews.map(({ runId }) => runId),
    );
    for (const review of reviews) {
      const silenceId = silences.get(review.runId);
      for (const one of await overdueDeliveries(ports, review, asking, now))
        listed.push(silenceId === undefined || !WITHHOLDS_REVIEWS ? one : { ...one, silenceId });
    }
    await store.destinations.add(listed, now);
    count += listed.length;
    const last = reviews.at(-1);
    if (reviews.length < PAGE || last === undefined) return count;
    after = { at: Date.parse(last.overdueAt), runId: last.runId };
  }
}

// A review that cannot be read must not prevent the others. The passes of the next minute try again.
async function overdueDeliveries(
  { store, log }: OverduePorts,
  { caseId, runId, playbook, since, withinHours, overdueAt, verdict }: OverdueReview,
  asking: AskingDestinations,
  now: number,
): Promise<NewOutboundDelivery[]> {
  try {
    const labels = await labelsAsked(store, asking, runId);
    const judged = { playbook, verdict: verdict as unknown as VerdictMessage['verdict'] };
    // A review that was snoozed is reported again when it is overdue again.
    const key = `overdue ${runId} ${overdueAt}`;
    const about = { key, caseId, runId, event: { review: { since, withinHours } } };
    return asking
      .filter(({ when }) => matchesReview(when, judged, labels))
      .map((destination) => verdictDelivery(destination, 'review-overdue', about, now));
  } catch (error) {
    log.warn({ error, caseId, runId }, 'an overdue review was not reported yet');
    return [];
  }
}

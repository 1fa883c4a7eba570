import type {
  CaseStore,
  Clock,
  Destinations,
  Logger,
  NewOutboundDelivery,
  OverdueReview,
  Reviews,
  VerdictMessage,
} from '@casefile/contracts';
import type { ActiveDestination } from '../config/added-destinations.js';
import { matchesReview, receives } from '../destinations/matches-when.js';
import { labelsAsked, openUntil, verdictDelivery } from '../destinations/new-deliveries.js';
import type { OpenConditions } from './conditions.js';
import { nextNotices } from './next-notices.js';

/** Interval of the passes, in milliseconds. */
const EVERY_MS = 5_000;
/** Number of overdue reviews that are read at a time. */
const PAGE = 500;
/** Reviews that became overdue longer ago than this are not reported, in milliseconds. */
const OLDEST_MS = 86_400_000;
/**
 * Time before the last reported review that each pass reads again, in milliseconds: the transaction of a verdict may
 * have been open at the last pass. What was reported already is not written twice.
 */
const AGAIN_MS = 60_000;
/** Time after which a message that was not accepted is escalated, in seconds, if the destination names none. */
const ESCALATE_AFTER_S = 300;
/** Name of the reported reviews on the record. */
const OVERDUE = 'review-overdue';

interface WatchPorts {
  store: Pick<CaseStore, 'lead'> & {
    destinations: Pick<
      Destinations,
      'escalate' | 'notices' | 'addNotices' | 'add' | 'labels' | 'reportedUntil' | 'setReportedUntil'
    >;
    reviews: Pick<Reviews, 'becameOverdue'>;
  };
  clock: Pick<Clock, 'now'>;
  log: Logger;
  /** Returns the destinations in force. */
  destinations(): Promise<readonly Pick<ActiveDestination, WatchedField>[]>;
  /** Reads the open conditions. */
  state(): Promise<OpenConditions>;
  /** Hours within which a person should answer, by kind; `default`: of the other kinds. */
  answerWithinHours: Readonly<Record<string, number>>;
  /** Sends what was written, without waiting for it. */
  wake(): void;
}

/**
 * Writes messages to destinations about conditions and overdue reviews. One process at a time does so. It does not
 * depend on the queue store, because an outage of the queue store is a condition.
 */
export class ConditionWatch {
  private timer: NodeJS.Timeout | null = null;
  private pass: Promise<void> = Promise.resolve();

  constructor(private readonly ports: WatchPorts) {}

  start(): void {
    const next = () => {
      this.timer = setTimeout(() => {
        this.pass = this.tick().finally(() => this.timer !== null && next());
      }, EVERY_MS).unref();
    };
    next();
  }

  /** Starts no more passes, and waits for the current one. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.pass;
  }

  /** One pass, unless another process makes one. An outage is logged, and the next pass tries again. */
  async tick(): Promise<void> {
    const { store, log } = this.ports;
    try {
      const destinations = await this.ports.destinations();
      // No destination asks for anything but verdicts, and none has to be told of the end of a condition.
      if (!destinations.some(asksForMore) && (await store.destinations.notices()).length === 0) return;
      const leadership = await store.lead('conditions');
      if (leadership === null) return;
      try {
        await this.part('conditions', () => this.reportConditions(destinations));
        await this.part('escalations', () => this.escalate(destinations));
        await this.part('overdue reviews', () => this.reportOverdue(destinations));
      } finally {
        await leadership.release();
      }
    } catch (error) {
      log.warn({ error }, 'conditions could not be reported yet');
    }
  }

  // A part that fails must not prevent the other one.
  private async part(what: string, report: () => Promise<number>): Promise<void> {
    try {
      if ((await report()) > 0) this.ports.wake();
    } catch (error) {
      this.ports.log.warn({ error, what }, 'some messages about the installation were not written yet');
    }
  }

  private async reportConditions(destinations: WatchedDestinations): Promise<number> {
    const { store, clock } = this.ports;
    const [state, last] = await Promise.all([this.ports.state(), store.destinations.notices()]);
    const now = clock.now();
    return store.destinations.addNotices(nextNotices(state, last, destinations, now), now);
  }

  // At the first pass nothing is reported, so that a new installation gets no message about each old review.
  private async reportOverdue(destinations: WatchedDestinations): Promise<number> {
    const { store, clock } = this.ports;
    const now = clock.now();
    const until = await store.destinations.reportedUntil(OVERDUE);
    const asking = destinations.filter(({ when }) => receives(when, 'review'));
    const count =
      until === null || asking.length === 0
        ? 0
        : await this.addOverdue(asking, Math.max(until - AGAIN_MS, now - OLDEST_MS), now);
    await store.destinations.setReportedUntil(OVERDUE, now);
    return count;
  }

  private async addOverdue(asking: WatchedDestinations, from: number, now: number): Promise<number> {
    const { store, answerWithinHours } = this.ports;
    let count = 0;
    for (let after = from; ;) {
      const reviews = await store.reviews.becameOverdue(after, now, answerWithinHours, PAGE);
      const listed: NewOutboundDelivery[] = [];
      for (const review of reviews) listed.push(...(await this.overdueDeliveries(review, asking, now)));
      await store.destinations.add(listed, now);
      count += listed.length;
      if (reviews.length < PAGE) return count;
      // Many may become overdue in one millisecond.
      after = Math.max(after + 1, Date.parse(reviews.at(-1)?.overdueAt ?? ''));
    }
  }

  // A name without a destination is that of a removed one.
  private async escalate(destinations: WatchedDestinations): Promise<number> {
    const { store, clock } = this.ports;
    const now = clock.now();
    let count = 0;
    for (const { name, escalateTo, afterSeconds = ESCALATE_AFTER_S } of destinations) {
      const to = destinations.find((one) => one.name === escalateTo);
      if (to === undefined || to.name === name) continue;
      const escalation = {
        from: name,
        to: to.name,
        afterMs: afterSeconds * 1_000,
        openUntil: openUntil(to, now),
      };
      count += await store.destinations.escalate(escalation, now);
    }
    return count;
  }

  private async overdueDeliveries(
    { caseId, runId, playbook, since, withinHours, verdict }: OverdueReview,
    asking: WatchedDestinations,
    now: number,
  ): Promise<NewOutboundDelivery[]> {
    const labels = await labelsAsked(this.ports.store, asking, runId);
    const judged = { playbook, verdict: verdict as unknown as VerdictMessage['verdict'] };
    const about = { key: `overdue ${runId}`, caseId, runId, event: { review: { since, withinHours } } };
    return asking
      .filter(({ when }) => matchesReview(when, judged, labels))
      .map((destination) => verdictDelivery(destination, 'review-overdue', about, now));
  }
}

type WatchedField = 'name' | 'type' | 'when' | 'escalateTo' | 'afterSeconds';
type WatchedDestinations = readonly Pick<ActiveDestination, WatchedField>[];

function asksForMore({ when, escalateTo }: Pick<ActiveDestination, 'when' | 'escalateTo'>): boolean {
  return (
    escalateTo !== undefined ||
    (['condition', 'review', 'delivery'] as const).some((event) => receives(when, event))
  );
}

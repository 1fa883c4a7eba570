import type { CaseStore, Destinations } from '@casefile/contracts';
import type { ActiveDestination } from '../config/added-destinations.js';
import type { AuditHeadSettings } from '../config/audit-head-settings.js';
import { OUTBOUND_FORMATS } from '../destinations/formats.js';
import { receives } from '../destinations/matches-when.js';
import { openUntil } from '../destinations/new-deliveries.js';
import type { OpenConditions } from './conditions.js';
import { silencesOf } from '../silences/silence-gate.js';
import { isOver, nextNotices, subjectOf } from './next-notices.js';
import type { LastKnown, OutageNotices } from './outage-notices.js';
import type { OutsideHeartbeat } from './outside-heartbeat.js';
import type { Outage } from './store-watch.js';
import { reportOverdue, type OverduePorts } from './overdue-reviews.js';
import { sendAuditHead, sendScheduledTests } from './scheduled-tests.js';

/** Interval of the passes, in milliseconds. */
const EVERY_MS = 5_000;
/** Time after which a message that was not accepted is escalated, in seconds, if the destination names none. */
const ESCALATE_AFTER_S = 60;
/**
 * Time without a destination after which its deliveries are cancelled, in milliseconds: while a release or a mistake in
 * a file is being fixed, another process may have the destination.
 */
const REMOVED_AFTER_MS = 3_600_000;

interface WatchPorts extends OverduePorts {
  store: OverduePorts['store'] &
    Pick<CaseStore, 'lead' | 'audit'> & {
      destinations: Pick<
        Destinations,
        'escalate' | 'unacknowledged' | 'endReviews' | 'endRemoved' | 'notices' | 'addNotices'
      >;
    };
  /** Returns the destinations in force. */
  destinations(): Promise<readonly ActiveDestination[]>;
  /** Returns the outage of the database; null: it can be used. */
  outage(): Promise<Outage | null>;
  /** Sends messages about the outage without the database. */
  outages: Pick<OutageNotices, 'report' | 'record'>;
  /** Reads the open conditions. */
  state(): Promise<OpenConditions>;
  /** Request to an outside monitor; null: none is configured. */
  heartbeat: Pick<OutsideHeartbeat, 'beat' | 'close'> | null;
  /** Times at which the head of the audit log is sent; null: never. */
  auditHead: AuditHeadSettings | null;
  /** Sends what was written, without waiting for it. */
  wake(): void;
}

/**
 * Writes messages to destinations about conditions and overdue reviews. One process at a time does so. It does not
 * depend on the queue store, because an outage of the queue store is a condition. While the database is out, it sends the
 * messages about this outage itself.
 */
export class ConditionWatch {
  private timer: NodeJS.Timeout | null = null;
  private pass: Promise<void> = Promise.resolve();
  private endRemovedAt: number;
  /** null: nothing was read yet. */
  private last: LastKnown | null = null;

  constructor(private readonly ports: WatchPorts) {
    this.endRemovedAt = ports.clock.now() + REMOVED_AFTER_MS;
  }

  start(): void {
    const next = () => {
      this.timer = setTimeout(() => {
        this.pass = this.tick().finally(() => this.timer !== null && next());
      }, EVERY_MS).unref();
    };
    next();
  }

  /** Starts no more passes, waits for the current one, and closes the connections. */
  async stop(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.pass;
    await this.ports.heartbeat?.close();
  }

  /** One pass, unless another process makes one. An outage is logged, and the next pass tries again. */
  async tick(): Promise<void> {
    const { store, log } = this.ports;
    try {
      const destinations = await this.ports.destinations();
      const endsRemoved = this.ports.clock.now() >= this.endRemovedAt;
      const asks =
        this.ports.heartbeat !== null || this.ports.auditHead !== null || destinations.some(asksForMore);
      // No destination asks for anything but verdicts, and none waits for the end of a condition.
      if (!asks && !endsRemoved && this.last?.notices.length === 0) return;
      const outage = await this.ports.outage();
      if (outage !== null) return await this.reportOutage(outage);
      await this.ports.outages.record();
      this.last = { destinations, notices: await store.destinations.notices() };
      if (!asks && !endsRemoved && this.last.notices.length === 0) return;
      const leadership = await store.lead('conditions');
      if (leadership === null) return;
      try {
        if (endsRemoved) await this.part('removed destinations', () => this.endRemoved(destinations));
        const isReported = await this.part('conditions', () => this.reportConditions(destinations));
        await this.part('ended reviews', () => this.endReviews(destinations));
        await this.part('escalations', () => this.escalate(destinations));
        await this.part('overdue reviews', () => reportOverdue(this.ports, destinations));
        await this.part('scheduled tests', () => sendScheduledTests(this.ports, destinations));
        await this.part('head of the audit log', () => sendAuditHead(this.ports, this.ports.auditHead));
        // If problems cannot be reported, the monitor has to notice it.
        if (isReported) await this.part('heartbeat', () => this.beat());
      } finally {
        await leadership.release();
      }
    } catch (error) {
      log.warn({ error }, 'conditions could not be reported yet');
    }
  }

  private async reportOutage({ since }: Outage): Promise<void> {
    if (this.last === null) return;
    if (!this.last.destinations.some(({ when }) => receives(when, 'condition'))) return;
    const { conditions } = await this.ports.state();
    await this.ports.outages.report(since, conditions, this.last);
  }

  // A part that fails must not prevent the others. Returns whether it succeeded.
  private async part(what: string, report: () => Promise<number>): Promise<boolean> {
    try {
      if ((await report()) > 0) this.ports.wake();
      return true;
    } catch (error) {
      this.ports.log.warn({ error, what }, 'some messages about the installation were not written yet');
      return false;
    }
  }

  private async reportConditions(destinations: WatchedDestinations): Promise<number> {
    const { store, clock } = this.ports;
    const [state, last] = await Promise.all([this.ports.state(), store.destinations.notices()]);
    const now = clock.now();
    return store.destinations.addNotices(nextNotices(state, last, destinations, now), now);
  }

  private async beat(): Promise<number> {
    const { heartbeat, state } = this.ports;
    if (heartbeat !== null) await heartbeat.beat(await state());
    return 0;
  }

  private endReviews(destinations: WatchedDestinations): Promise<number> {
    const { store, clock } = this.ports;
    const resolving = destinations.filter(({ type }) => OUTBOUND_FORMATS[type].reportsResolved);
    return store.destinations.endReviews(
      resolving.map(({ name }) => name),
      clock.now(),
    );
  }

  private async endRemoved(destinations: WatchedDestinations): Promise<number> {
    const { store, clock, log } = this.ports;
    const now = clock.now();
    this.endRemovedAt = now + REMOVED_AFTER_MS;
    const cancelled = await store.destinations.endRemoved(
      destinations.map(({ name }) => name),
      now,
    );
    if (cancelled > 0) log.warn({ cancelled }, 'deliveries to removed destinations were cancelled');
    return 0;
  }

  // The closing message of a condition that flaps is written later than the condition closes.
  private async closedSubjects(): Promise<string[]> {
    try {
      const [state, last] = await Promise.all([this.ports.state(), this.ports.store.destinations.notices()]);
      return [...new Set(last.filter((notice) => isOver(notice, state)).map(subjectOf))];
    } catch {
      return [];
    }
  }

  // A name without a destination is that of a removed one.
  private async escalate(destinations: WatchedDestinations): Promise<number> {
    const { store, clock } = this.ports;
    const now = clock.now();
    let count = 0;
    if (!destinations.some(({ escalateTo }) => escalateTo !== undefined)) return count;
    const closedSubjects = await this.closedSubjects();
    for (const destination of destinations) {
      const { name, escalateTo, afterSeconds = ESCALATE_AFTER_S, acknowledgeWithinSeconds } = destination;
      const to = destinations.find((one) => one.name === escalateTo);
      if (to === undefined || to.name === name) continue;
      const unacknowledged =
        acknowledgeWithinSeconds === undefined
          ? []
          : await this.unacknowledged({
              from: name,
              to: to.name,
              withinMs: acknowledgeWithinSeconds * 1_000,
            });
      const escalation = {
        from: name,
        to: to.name,
        afterMs: afterSeconds * 1_000,
        openUntil: openUntil(to, now),
        closedSubjects,
        unacknowledged,
      };
      count += await store.destinations.escalate(escalation, now);
    }
    return count;
  }

  // A silence that matches now stops an escalation, as it withholds a page.
  private async unacknowledged(page: Parameters<Destinations['unacknowledged']>[0]): Promise<string[]> {
    const { store, clock } = this.ports;
    const pages = await store.destinations.unacknowledged(page, clock.now());
    const silenced = await silencesOf(
      this.ports,
      pages.map(({ runId }) => runId),
    );
    return pages.filter(({ runId }) => !silenced.has(runId)).map(({ id }) => id);
  }
}

type WatchedDestinations = readonly ActiveDestination[];

function asksForMore({ when, escalateTo, testCron }: WatchedDestinations[number]): boolean {
  return (
    escalateTo !== undefined ||
    testCron !== undefined ||
    (['condition', 'review', 'delivery'] as const).some((event) => receives(when, event))
  );
}

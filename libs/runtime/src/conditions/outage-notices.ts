import type {
  AttemptEnd,
  Clock,
  Condition,
  ConditionNotice,
  Destinations,
  NewConditionNotice,
  Queue,
  TakenDelivery,
} from '@casefile/contracts';
import type { ActiveDestination } from '../config/added-destinations.js';
import { openingNotice, QUIET_MS } from './next-notices.js';

/** Time for which the database must be out until a message is sent, in milliseconds: a restart takes seconds. */
const SETTLES_MS = 10_000;
/** The id of a message is derived from this part of the time, so that processes which notice an outage later agree. */
const MINUTE_MS = 60_000;
/** Time in which this process records an attempt, so that no other process sends its delivery again. */
const RECORDED_WITHIN_MS = 60_000;
/** Conditions that are sent while the database is out. All others cannot be read then. */
const SENT: readonly string[] = ['store_out', 'queue_out'];

export interface OutagePorts {
  store: { destinations: Pick<Destinations, 'addNotices'> };
  queue: Pick<Queue, 'claim'>;
  clock: Pick<Clock, 'now'>;
  /** Sends a delivery once, without the record. */
  attempt(destination: ActiveDestination, delivery: TakenDelivery): Promise<AttemptEnd>;
  /** Records an attempt. */
  settle(end: AttemptEnd): Promise<void>;
  /** Whether the queues are on the database, so that their outage is the same one. */
  queueIsDatabase: boolean;
}

/** What was last read before the outage. */
export interface LastKnown {
  destinations: readonly ActiveDestination[];
  notices: readonly ConditionNotice[];
}

interface SentNotice {
  notice: NewConditionNotice;
  destination: ActiveDestination;
  attempts: AttemptEnd[];
}

/**
 * Sends messages about an outage of the database from memory, and records them when the database answers again. Then the
 * closing message follows by the record. One process sends, as far as the queue store can tell.
 */
export class OutageNotices {
  private readonly sent = new Map<string, SentNotice>();

  constructor(private readonly ports: OutagePorts) {}

  /** Sends the messages that are due. @param since When the database was first seen to be out. */
  async report(since: string, conditions: readonly Condition[], last: LastKnown): Promise<void> {
    const { clock, queueIsDatabase } = this.ports;
    const now = clock.now();
    if (now - Date.parse(since) < SETTLES_MS) return;
    const current = conditions.filter(
      ({ id, asOf }) => asOf === undefined && SENT.includes(id) && !(queueIsDatabase && id === 'queue_out'),
    );
    const isPaused = (name: string) => conditions.some(({ id }) => id === `destination_paused.${name}`);
    for (const destination of last.destinations) {
      if (isPaused(destination.name)) continue;
      for (const condition of current) await this.begin(destination, condition, last, now);
    }
    await Promise.all([...this.sent.values()].map((one) => this.attempt(one, now)));
  }

  /** Records what was sent while the database was out. @throws if the database does not answer; a later call goes on. */
  async record(): Promise<void> {
    const { store, clock, settle } = this.ports;
    for (const [id, { notice, attempts }] of this.sent) {
      const now = clock.now();
      const delivery = { ...notice.delivery, takenUntil: now + RECORDED_WITHIN_MS };
      // Another process may have sent and recorded the same message.
      const isNew = (await store.destinations.addNotices([{ ...notice, delivery }], now)) > 0;
      this.sent.delete(id);
      if (isNew) for (const end of attempts) await settle(end);
    }
  }

  private async begin(
    destination: ActiveDestination,
    condition: Condition,
    { notices }: LastKnown,
    now: number,
  ): Promise<void> {
    const { name } = destination;
    const isSame = (one: { destination: string; conditionId: string }) =>
      one.destination === name && one.conditionId === condition.id;
    if ([...this.sent.values()].some(({ notice }) => isSame(notice))) return;
    const openedAt = Math.floor(Date.parse(condition.since ?? '') / MINUTE_MS) * MINUTE_MS || now;
    const [notice] = openingNotice(destination, condition, notices.find(isSame), { now, openedAt });
    if (notice === undefined || !(await this.claims(`${condition.id} ${name}`))) return;
    this.sent.set(notice.delivery.id, { notice, destination, attempts: [] });
  }

  // If the queue store is out too, a second message is better than none.
  private claims(name: string): Promise<boolean> {
    return this.ports.queue.claim(name, QUIET_MS).catch(() => true);
  }

  private async attempt({ notice: { delivery }, destination, attempts }: SentNotice, now: number) {
    const last = attempts.at(-1);
    if (last !== undefined && (last.nextAt === null || last.nextAt > now)) return;
    const { id, kind, key, event = null } = delivery;
    const about = { id, kind, key, event, caseId: null, runId: null, message: last?.message ?? null };
    const createdAt = new Date(now).toISOString();
    attempts.push(await this.ports.attempt(destination, { ...about, attempts: attempts.length, createdAt }));
  }
}

import type {
  CaseStore,
  ChangeSource,
  Leadership,
  Logger,
  Queue,
  SweepCandidate,
  Telemetry,
} from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import type { Outbox } from '../delivery/outbox.js';

/** Work that one process at a time does, once per pass of the sweeper. */
export interface Chore {
  /**
   * Performs all due work. @throws if the store does not answer. The next pass retries.
   * @returns true: some open work waits only for a time, so the next pass follows after the usual interval. A number:
   * milliseconds after which this chore must be done again, although there is no sign of work.
   */
  tick(signal: AbortSignal): Promise<boolean | number | void>;
}

export interface SweeperPorts {
  store: CaseStore;
  /** Notifies of work that begins. */
  changes: ChangeSource;
  queue: Queue;
  /** Sends late deliveries. */
  outbox: Pick<Outbox, 'flush' | 'flushCorrections'>;
  /** Work that one process at a time does after each sweep, in this order. */
  chores: Record<string, Chore>;
  log: Logger;
  telemetry: Telemetry;
}

export interface SweeperLimits {
  /** Interval between two passes while the installation works. */
  intervalMs: number;
  /** Time after the last sign of work for which the installation counts as working. */
  busyMs: number;
  /** Interval between two looks for signs of work in an idle installation, and between two tries of a process to lead. */
  idleMs: number;
  /** Interval between two passes without a sign of work. */
  anywayMs: number;
  /**
   * Maximum number of rows of live cases, and of all lanes, that one pass handles, so that a million waiting
   * runs do not cause a million queries.
   */
  batch: number;
  /** Maximum number of pages of `batch` rows that one pass sends after the queue store was emptied. */
  refillPages: number;
  /** Time until a row with a live job is checked again. */
  aliveAgainMs: number;
  /** Minimum age of a delivery that is sent here. A younger one is still being sent by its own worker. */
  deliveryAgeMs: number;
}

export const SWEEPER_LIMITS: SweeperLimits = {
  intervalMs: 1_000,
  busyMs: 10_000,
  idleMs: 10_000,
  anywayMs: 300_000,
  batch: 500,
  refillPages: 10,
  aliveAgainMs: 15_000,
  deliveryAgeMs: 5_000,
};

/**
 * Finds due units without a job and wakes them. One process at a time leads; if it dies, another one takes
 * the lead. While the installation is idle, the leader makes one statement every 10 s, which finds signs of work, and a
 * notification of the store wakes it.
 */
export class Sweeper {
  private timer: NodeJS.Timeout | null = null;
  private leadership: Leadership | null = null;
  private pass: Promise<void> = Promise.resolve();
  private readonly over = new AbortController();
  /** The refill of an emptied queue store that the next pass continues; null: none is in progress. */
  private refilling: { after: string | null; woken: number } | null = null;
  private newestEvent: string | null = null;
  private unlisten: () => void = () => undefined;
  /** Times of `performance.now()`. */
  private busyUntil = 0;
  /** Time of the next pass without a sign of work, and of each chore that must be done at a time. */
  private passAt = 0;
  private readonly choreAt = new Map<string, number>();
  /** Whether some work becomes due soon. */
  private isSoonDue = false;

  constructor(
    private readonly ports: SweeperPorts,
    private readonly limits: SweeperLimits = SWEEPER_LIMITS,
  ) {}

  start(): void {
    this.next(this.limits.intervalMs);
    this.unlisten = this.ports.changes.on('work', () => {
      this.busyUntil = performance.now() + this.limits.busyMs;
      if (this.timer !== null) this.next(this.waitMs());
    });
  }

  /** Starts no more passes. The current pass ends at its next step. */
  halt(): void {
    this.unlisten();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.over.abort();
  }

  async stop(): Promise<void> {
    this.halt();
    await this.pass;
    await this.leadership?.release();
    this.leadership = null;
  }

  // A notification during a pass sets the timer too, so passes are made in sequence.
  private next(waitMs: number): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.pass = this.pass
        .then(() => this.passIfDue())
        .finally(() => this.timer !== null && this.next(this.waitMs()));
    }, waitMs).unref();
  }

  private waitMs(): number {
    const { intervalMs, idleMs } = this.limits;
    if (this.refilling !== null) return 0;
    const leads = this.leadership !== null;
    const isIdle = performance.now() >= this.busyUntil && !this.isSoonDue && this.ports.changes.isListening();
    if (!leads || isIdle) return Math.max(0, Math.min(idleMs, this.nextChoreAt() - performance.now()));
    return intervalMs;
  }

  /** Makes a pass if this process may begin to lead, if there is a sign of work, or at the time for one. */
  private async passIfDue(): Promise<void> {
    const isLeading = this.leadership !== null && this.refilling === null;
    if (isLeading && (await this.seesWork())) this.busyUntil = performance.now() + this.limits.busyMs;
    const now = performance.now();
    const isIdle = isLeading && now >= this.busyUntil && now < this.passAt;
    if (isIdle && now < this.nextChoreAt()) return;
    if (isIdle) return this.inPass(() => this.doChores(true));
    this.passAt = now + this.limits.anywayMs;
    await this.tick();
  }

  private nextChoreAt(): number {
    return Math.min(...this.choreAt.values());
  }

  // A store that does not answer is noticed by the pass.
  private async seesWork(): Promise<boolean> {
    const { store, queue } = this.ports;
    const seen = await store.units.activity().catch(() => null);
    const isFilled = await queue.hasSentinel().catch(() => false);
    if (seen === null) return true;
    const isNew = seen.newestEvent !== this.newestEvent;
    this.newestEvent = seen.newestEvent;
    this.isSoonDue = seen.isSoonDue;
    return isNew || seen.isDue || !isFilled;
  }

  /** One pass. An outage of store or queue ends it, and the next pass tries again. */
  tick(): Promise<void> {
    const { store, queue, outbox } = this.ports;
    return this.inPass(async () => {
      this.leadership ??= await store.lead('sweeper');
      if (this.leadership === null) return;
      await outbox.flush(this.limits.batch, this.limits.deliveryAgeMs);
      await outbox.flushCorrections(this.limits.batch);
      if (await queue.hasSentinel()) this.refilling = null;
      else await this.refill();
      if (this.over.signal.aborted) return;
      this.count('sweep', await wakeDue(this.ports, this.limits));
      await this.doChores(false);
    });
  }

  private async inPass(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.ports.log.warn({ error }, 'the sweep was interrupted; the next sweep continues');
      // The queue store may be another one when it answers again, so a refill begins again.
      this.refilling = null;
      await this.resign();
    }
  }

  /**
   * Does the chores. A failing chore must not prevent the other chores.
   * @param onlyTimed Only those that asked for a time that has come.
   */
  private async doChores(onlyTimed: boolean): Promise<void> {
    let hasFailed = false;
    for (const [chore, work] of Object.entries(this.ports.chores)) {
      if (this.over.signal.aborted) return;
      const now = performance.now();
      if (onlyTimed && now < (this.choreAt.get(chore) ?? Infinity)) continue;
      this.choreAt.delete(chore);
      try {
        const next = await work.tick(this.over.signal);
        if (next === true) this.busyUntil = performance.now() + this.limits.busyMs;
        if (typeof next === 'number') this.choreAt.set(chore, now + next);
      } catch (error) {
        this.ports.log.warn(
          { error, chore },
          'a chore of the sweeper was interrupted; the next pass continues',
        );
        hasFailed = true;
      }
    }
    if (hasFailed) await this.resign();
  }

  // Gives up the leadership, because a leader whose connection broke may have lost it.
  private async resign(): Promise<void> {
    const leadership = this.leadership;
    this.leadership = null;
    await leadership
      ?.release()
      .catch((error: unknown) => this.ports.log.debug({ error }, 'leadership was gone already'));
  }

  /**
   * Sends jobs for what is due, because the queue store was emptied or is new. With a million units this takes minutes,
   * so one pass sends some pages and the next pass continues.
   */
  private async refill(): Promise<void> {
    const refilling = (this.refilling ??= { after: null, woken: 0 });
    for (let page = 0; page < this.limits.refillPages; page += 1) {
      const { candidates, next } = await this.ports.store.units.allDue(refilling.after, this.limits.batch);
      const woken = await nudgeAgain(this.ports, candidates);
      this.count('refill', woken);
      refilling.after = next;
      refilling.woken += woken;
      // The sentinel job is still missing, so the next leader sends all jobs again.
      if (this.over.signal.aborted) return;
      if (next === null) break;
    }
    if (refilling.after !== null) return;
    await this.ports.queue.plantSentinel();
    this.refilling = null;
    this.ports.log.info({ woken: refilling.woken }, 'the queue store was empty: what is due was put back');
  }

  private count(why: string, woken: number): void {
    if (woken > 0) this.ports.telemetry.count(METRICS.sweeperNudges, { why }, woken);
  }
}

type WakePorts = Pick<SweeperPorts, 'store' | 'queue'>;

/**
 * Sends a job for each due unit without one. Units with a live job are checked later.
 * @param cases Only these cases. Default: all. @returns the number of sent jobs.
 */
export async function wakeDue(
  ports: WakePorts,
  {
    batch = SWEEPER_LIMITS.batch,
    aliveAgainMs = SWEEPER_LIMITS.aliveAgainMs,
    cases,
  }: Partial<SweeperLimits> & { cases?: readonly string[] },
): Promise<number> {
  const candidates = await ports.store.units.sweep(batch, cases);
  if (candidates.length === 0) return 0;
  const alive = await ports.queue.alive(candidates.map((candidate) => candidate.nudge));
  const waiting = candidates.filter((_, i) => alive[i]);
  if (waiting.length > 0) await ports.store.units.postpone(waiting, aliveAgainMs);
  return nudgeAgain(
    ports,
    candidates.filter((_, i) => !alive[i]),
  );
}

async function nudgeAgain({ store, queue }: WakePorts, candidates: SweepCandidate[]): Promise<number> {
  if (candidates.length === 0) return 0;
  const nudges = await store.units.renudge(candidates);
  await queue.nudge(nudges);
  return nudges.length;
}

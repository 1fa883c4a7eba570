import { setTimeout as sleep, setImmediate as nextTurn } from 'node:timers/promises';

/** Wait of a live job, in milliseconds, above which the gate closes. */
const LIVE_WAIT_MS = 50;
/** Delay of the event loop, in milliseconds, above which the gate closes. */
const LAG_MS = 20;
/** While the gate is closed, this fraction of either limit keeps it closed. This prevents flapping. */
const STAYS_CLOSED_FROM = 0.5;
/**
 * The gate opens after this time without a cause to close. It is long enough for a live case to
 * reach its next stage.
 */
const QUIET_MS = 250;
/** While the gate is closed, one bulk job may start per this time, so that bulk work never stops. */
const TRICKLE_MS = 100;

interface Waiting {
  signal: AbortSignal;
  go(): void;
}

/**
 * Gate that the bulk consumers of a process ask before they start a job. It is closed while live work has to
 * wait or the event loop is late. Times are milliseconds of `now`, a monotonic clock.
 */
export class BulkGate {
  private closedUntil = -Infinity;
  private passedAt = -Infinity;
  /**
   * Waiting jobs by queue. The first queue has the next turn. Turns let all queues make progress, so that
   * started cases also finish.
   */
  private readonly waiting = new Map<string, Waiting[]>();
  private letting = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  get isClosed(): boolean {
    return this.now() < this.closedUntil;
  }

  /** Reports how long a live job had waited before it was taken, in milliseconds. */
  sawLiveWait(ms: number): void {
    this.saw(ms, LIVE_WAIT_MS);
  }

  /** Reports a delay of the event loop, in milliseconds. */
  sawLag(ms: number): void {
    this.saw(ms, LAG_MS);
  }

  /** Milliseconds until the next bulk job may start; 0: now. */
  nextIn(): number {
    const opens = Math.min(this.closedUntil, this.passedAt + TRICKLE_MS);
    return Math.max(0, opens - this.now());
  }

  /** Records the start of a bulk job. */
  begin(): void {
    this.passedAt = this.now();
  }

  /**
   * Waits until a bulk job of this queue may start. Ends early when `signal` is aborted. Queues take turns.
   */
  pass(queue: string, signal: AbortSignal): Promise<void> {
    return new Promise((go) => {
      this.waiting.set(queue, [...(this.waiting.get(queue) ?? []), { signal, go }]);
      if (!this.letting) void this.letPass();
    });
  }

  // The event loop turns once between two jobs, so that the lag caused by one is known before the next may
  // start.
  private async letPass(): Promise<void> {
    this.letting = true;
    while (this.waiting.size > 0) {
      await nextTurn();
      await sleep(Math.ceil(this.nextIn()));
      for (const queue of [...this.waiting.keys()]) this.take(queue, ({ signal }) => signal.aborted);
      const [next] = this.waiting.keys();
      if (next === undefined || this.nextIn() > 0) continue;
      this.begin();
      const [first] = this.waiting.get(next) ?? [];
      this.take(next, (one) => one === first);
    }
    this.letting = false;
  }

  /** Releases the matching jobs of a queue. Its remaining jobs move behind the other queues. */
  private take(queue: string, goes: (one: Waiting) => boolean): void {
    const here = this.waiting.get(queue) ?? [];
    const going = here.filter(goes);
    if (going.length === 0) return;
    const left = here.filter((one) => !going.includes(one));
    this.waiting.delete(queue);
    if (left.length > 0) this.waiting.set(queue, left);
    for (const { go } of going) go();
  }

  private saw(ms: number, bound: number): void {
    if (ms > (this.isClosed ? bound * STAYS_CLOSED_FROM : bound)) this.closedUntil = this.now() + QUIET_MS;
  }
}

import { setTimeout as sleep, setImmediate as nextTurn } from 'node:timers/promises';

/** A live job that has waited longer, in milliseconds, closes the gate. R16. */
const LIVE_WAIT_MS = 50;
/** An event loop that is late by more closes it. R16. */
const LAG_MS = 20;
/** What closes it again while it is closed, as a part of the two above: it does not flutter. */
const STAYS_CLOSED_FROM = 0.5;
/** It opens when nothing has closed it for so long: a live case takes its next stage within that time. */
const QUIET_MS = 250;
/** While it is closed one bulk job may begin after each such time, so that bulk work always moves. */
const TRICKLE_MS = 100;

interface Waiting {
  signal: AbortSignal;
  go(): void;
}

/**
 * Asked by bulk consumers of a process before they begin a job: closed while live work had to wait or the event loop is late.
 * Times are milliseconds of `now`, which only has to go forward.
 */
export class BulkGate {
  private closedUntil = -Infinity;
  private passedAt = -Infinity;
  /** By queue; the first of them has the next turn, so that what was begun is also finished. */
  private readonly waiting = new Map<string, Waiting[]>();
  private letting = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  get isClosed(): boolean {
    return this.now() < this.closedUntil;
  }

  /** A live job was taken that had waited so long, in milliseconds. */
  sawLiveWait(ms: number): void {
    this.saw(ms, LIVE_WAIT_MS);
  }

  /** The event loop was late by so much, in milliseconds. */
  sawLag(ms: number): void {
    this.saw(ms, LAG_MS);
  }

  /** Milliseconds until the next bulk job may begin; 0: now. */
  nextIn(): number {
    const opens = Math.min(this.closedUntil, this.passedAt + TRICKLE_MS);
    return Math.max(0, opens - this.now());
  }

  /** A bulk job begins. */
  begin(): void {
    this.passedAt = this.now();
  }

  /** Waits until a bulk job of this queue may begin; ends early when `signal` is aborted. Queues take turns. */
  pass(queue: string, signal: AbortSignal): Promise<void> {
    return new Promise((go) => {
      this.waiting.set(queue, [...(this.waiting.get(queue) ?? []), { signal, go }]);
      if (!this.letting) void this.letPass();
    });
  }

  // The event loop goes round between two: what they do shows in its lag before the next one is asked for.
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

  /** Lets those of a queue go on; what waits there still is behind the other queues. */
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

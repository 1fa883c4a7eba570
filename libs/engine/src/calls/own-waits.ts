import type { Clock } from '@casefile/contracts';

/** Lateness of a timer, in milliseconds, from which the process itself was late. */
const LATE_MS = 50;

/**
 * Waits of a stage's model calls that this process causes: for a processor, a limit, or a connection to the database.
 * They move the deadlines of the calls, so that each call keeps its time for an answer.
 */
export class OwnWaits {
  private totalMs = 0;
  /** Waits before a deadline was first used, by deadline. */
  private readonly before = new Map<number, number>();
  private drawn: { deadlineAt: number; at: number } | null = null;

  constructor(private readonly clock: Clock) {}

  /** Returns a drawn deadline, moved by all waits so far. */
  moved(deadlineAt: number): number {
    const moved = deadlineAt + this.totalMs;
    this.note(moved);
    return moved;
  }

  /** Notes a deadline whose time begins with the first call that has it, at the latest. */
  beginsWithCall(deadlineAt: number): void {
    this.drawn = { deadlineAt, at: this.clock.now() };
  }

  /** Returns the waits of a call with this deadline. */
  ofCall(deadlineAt: number | null): CallWaits {
    if (deadlineAt === null) return new CallWaits(this.clock, 0);
    if (this.drawn?.deadlineAt === deadlineAt) {
      this.totalMs += this.clock.now() - this.drawn.at;
      this.drawn = null;
    }
    this.note(deadlineAt);
    const before = this.before.get(deadlineAt) ?? 0;
    return new CallWaits(this.clock, this.totalMs - before, (ms) => {
      this.totalMs = Math.max(this.totalMs, before + ms);
    });
  }

  private note(deadlineAt: number): void {
    if (!this.before.has(deadlineAt)) this.before.set(deadlineAt, this.totalMs);
  }
}

/** Waits that one process caused to one call, over all its attempts. Concurrent calls wait at the same time. */
export class CallWaits {
  constructor(
    private readonly clock: Clock,
    private waitedMs: number,
    private readonly changed: (ms: number) => void = () => undefined,
  ) {}

  /** Time by which the deadline of the call has moved, in milliseconds. */
  get ms(): number {
    return this.waitedMs;
  }

  /** Runs a wait that this process causes. */
  async during<T>(wait: () => Promise<T>): Promise<T> {
    const began = this.clock.now();
    try {
      return await wait();
    } finally {
      this.add(this.clock.now() - began);
    }
  }

  add(ms: number): void {
    this.waitedMs += Math.max(0, ms);
    this.changed(this.waitedMs);
  }

  /**
   * Returns a function that a time limit asks when it is over: the milliseconds by which its timer was late, at most
   * the time limit; 0: it was on time. An answer may have arrived before a late timer, but not have been read.
   * @param forMs Duration of the time limit.
   */
  lateness(forMs: number | null): () => number {
    let due = this.clock.now() + (forMs ?? 0);
    return () => {
      const lateMs = this.clock.now() - due;
      if (lateMs < LATE_MS) return 0;
      const moreMs = Math.min(lateMs, forMs ?? 0);
      due = this.clock.now() + moreMs;
      return moreMs;
    };
  }
}

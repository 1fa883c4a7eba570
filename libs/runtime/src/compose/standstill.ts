import type { Standstill } from '@casefile/contracts';

/** Interval of the watch, in milliseconds. */
const TICK_MS = 250;
/** Gap between two ticks from which the process counts as having stood still, in milliseconds. */
const STOOD_STILL_MS = 1_000;

/**
 * Watches the event loop by a timer. After a standstill, Node runs overdue timers in the order of their times, so a
 * tick notices it before the time limits that passed meanwhile.
 */
export class StandstillWatch implements Standstill {
  private lastTick: number;
  /** Milliseconds of all standstills so far. */
  private totalMs = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param now Milliseconds of a clock that only moves forward. */
  constructor(private readonly now: () => number = () => performance.now()) {
    this.lastTick = now();
  }

  mark(): number {
    if (this.timer === undefined) {
      this.lastTick = this.now();
      this.timer = setInterval(() => this.tick(), TICK_MS).unref();
    }
    this.tick();
    return this.totalMs;
  }

  since(mark: number): number {
    this.tick();
    return this.totalMs - mark;
  }

  private tick(): void {
    const at = this.now();
    const gapMs = at - this.lastTick - TICK_MS;
    if (gapMs >= STOOD_STILL_MS) this.totalMs += gapMs;
    this.lastTick = at;
  }
}

/** The watch of this process. */
export const systemStandstill: Standstill = new StandstillWatch();

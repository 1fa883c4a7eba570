import { readFileSync } from 'node:fs';

/** Measures the longest turn of the event loop from its creation to `end`. */
export class Turns {
  private longest = 0;
  private last = workedMs();
  private readonly timer = setInterval(() => {
    const now = workedMs();
    this.longest = Math.max(this.longest, now - this.last);
    this.last = now;
  }, 1);

  end(): number {
    clearInterval(this.timer);
    return this.longest;
  }
}

/** Returns the processor time of this thread in milliseconds; the wall time if the system does not count it. */
function workedMs(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

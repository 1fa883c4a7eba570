import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The longest block of this process's event loop, in milliseconds. */
export interface LongestBlock {
  /** Wall-clock time as a client notices it. Other processes of a busy machine increase it. */
  wallMs: number;
  /** Processor time of the main thread within one turn of the loop; null if the system does not report it. */
  processorMs: number | null;
}

/** Watches the event loop until the returned function is called. */
export function watchLoop(): () => LongestBlock {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let over = false;
  let longest = 0;
  let before = processorNs();
  const look = (): void => {
    if (over) return;
    const now = processorNs();
    if (now !== null && before !== null) longest = Math.max(longest, now - before);
    before = now;
    setImmediate(look);
  };
  setImmediate(look);
  return () => {
    over = true;
    delay.disable();
    return { wallMs: delay.max / 1e6, processorMs: before === null ? null : longest / 1e6 };
  };
}

// Returns the time that the main thread has run, in nanoseconds. Linux only.
function processorNs(): number | null {
  try {
    return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ', 1)[0]);
  } catch {
    return null;
  }
}

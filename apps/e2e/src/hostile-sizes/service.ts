// The measured process. It reads the inputs that its parent sends, one after another.
import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostileInputs } from './inputs.js';

/** Report of the process after it has read the input. */
export interface Met {
  refusedWith: string | null;
  /** Longest time for which the event loop was blocked. */
  blockedMs: number;
  /**
   * Time for which the thread of the event loop waited for a processor. On a busy machine, other processes
   * cause this.
   */
  waitedMs: number;
}

/** First message of the parent for each input. After the answer `ready`, any message begins the attack. */
export interface Order {
  name: string;
  place: string;
}

const RESOLUTION_MS = 5;
process.once('disconnect', () => process.exit(0));
for (;;) process.send?.(await meet((await message()) as Order));

async function meet({ name, place }: Order): Promise<Met> {
  const input = hostileInputs.find((one) => one.name === name);
  if (input === undefined) throw new Error(`there is no input ${name}`);
  const attack = await input.serve(place);
  const begin = message();
  process.send?.('ready');
  await begin;
  const waitedBefore = await waited();
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const refusedWith = await attack();
  // The loop measures a blocked turn at the next one.
  await sleep(4 * RESOLUTION_MS);
  delay.disable();
  const blockedMs = Math.max(0, Math.round(delay.max / 1e6) - RESOLUTION_MS);
  return { refusedWith, blockedMs, waitedMs: Math.round((await waited()) - waitedBefore) };
}

function message(): Promise<unknown> {
  return new Promise((resolve) => process.once('message', resolve));
}

/**
 * Returns the milliseconds for which this thread was ready to run and had no processor; 0 if the system does
 * not count them.
 */
async function waited(): Promise<number> {
  const counts = await readFile('/proc/self/schedstat', 'utf8').catch(() => '');
  return Number(counts.split(' ')[1] ?? 0) / 1e6;
}

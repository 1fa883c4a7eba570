// The process that is measured. It meets the inputs that its parent orders, one after another.
import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostileInputs } from './inputs.js';

/** What the process reports when it has met the input. */
export interface Met {
  refusedWith: string | null;
  /** The longest time for which the event loop did nothing else. */
  blockedMs: number;
  /** How long the thread of the event loop waited for a processor meanwhile: on a busy machine it is blocked by others. */
  waitedMs: number;
}

/** What the parent sends first of each input. When the process has answered `ready`, any message begins the attack. */
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
  // A turn of the loop that is blocked is measured at the next one.
  await sleep(4 * RESOLUTION_MS);
  delay.disable();
  const blockedMs = Math.max(0, Math.round(delay.max / 1e6) - RESOLUTION_MS);
  return { refusedWith, blockedMs, waitedMs: Math.round((await waited()) - waitedBefore) };
}

function message(): Promise<unknown> {
  return new Promise((resolve) => process.once('message', resolve));
}

/** Milliseconds that this thread was ready to run and had no processor; 0 where the system does not count them. */
async function waited(): Promise<number> {
  const counts = await readFile('/proc/self/schedstat', 'utf8').catch(() => '');
  return Number(counts.split(' ')[1] ?? 0) / 1e6;
}

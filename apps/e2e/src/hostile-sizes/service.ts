// The process that is measured: `service.js <name of the input> <place>`. It meets the input when its parent says so.
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

const RESOLUTION_MS = 5;
const [name, place = ''] = process.argv.slice(2);
const input = hostileInputs.find((one) => one.name === name);
if (input === undefined || process.send === undefined) throw new Error(`there is no input ${name}`);

const attack = await input.serve(place);
const told = new Promise((resolve) => process.once('message', resolve));
process.send('ready');
await told;
const waitedBefore = await waited();
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
const refusedWith = await attack();
// A turn of the loop that is blocked is measured at the next one.
await sleep(4 * RESOLUTION_MS);
delay.disable();
const blockedMs = Math.max(0, Math.round(delay.max / 1e6) - RESOLUTION_MS);
const met: Met = { refusedWith, blockedMs, waitedMs: Math.round((await waited()) - waitedBefore) };
process.send(met, () => process.exit(0));

/** Milliseconds that this thread was ready to run and had no processor; 0 where the system does not count them. */
async function waited(): Promise<number> {
  const counts = await readFile('/proc/self/schedstat', 'utf8').catch(() => '');
  return Number(counts.split(' ')[1] ?? 0) / 1e6;
}

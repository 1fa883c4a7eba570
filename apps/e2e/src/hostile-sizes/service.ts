// The process that is measured: `service.js <name of the input> <place>`. It meets the input when its parent says so.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { hostileInputs } from './inputs.js';

/** What the process reports when it has met the input. */
export interface Met {
  refusedWith: string | null;
  blockedMs: number;
}

const RESOLUTION_MS = 5;
const [name, place = ''] = process.argv.slice(2);
const input = hostileInputs.find((one) => one.name === name);
if (input === undefined || process.send === undefined) throw new Error(`there is no input ${name}`);

const attack = await input.serve(place);
const told = new Promise((resolve) => process.once('message', resolve));
process.send('ready');
await told;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();
const refusedWith = await attack();
// A turn of the loop that is blocked is measured at the next one.
await sleep(4 * RESOLUTION_MS);
delay.disable();
const met: Met = { refusedWith, blockedMs: Math.max(0, Math.round(delay.max / 1e6) - RESOLUTION_MS) };
process.send(met, () => process.exit(0));

// Offers inputs that are small when sent and large when read, and measures how a service refuses them.
// Options: [--only Git]. Prints per input: the reason, the longest block of the event loop, how long the loop
// waited for a processor, and the peak memory. Exit code 1: an input was accepted, blocked the loop for more
// than 250 ms, or took more than 300 MB.
import { hostileInputs } from '@casefile/e2e/hostile-sizes/inputs';
import { measure } from '@casefile/e2e/hostile-sizes/measure';

/** Limits on what one input may cost the service that receives it. */
const MOST_BLOCKED_MS = 250;
const MOST_PEAK_MB = 300;

const at = process.argv.indexOf('--only');
const only = at < 0 ? '' : (process.argv[at + 1] ?? '');
let within = true;
console.log(
  '| input | refused with | loop blocked, ms | waited for a processor, ms | peak, MB |\n|---|---|---|---|---|',
);
for (const input of hostileInputs.filter(({ name }) => name.includes(only))) {
  const { name, refusedWith, blockedMs, waitedMs, peakMb } = await measure(input, true);
  console.log(`| ${name} | ${refusedWith ?? '**taken**'} | ${blockedMs} | ${waitedMs} | ${peakMb ?? '-'} |`);
  within &&= refusedWith !== null && blockedMs <= MOST_BLOCKED_MS && (peakMb ?? 0) <= MOST_PEAK_MB;
}
process.exitCode = within ? 0 : 1;

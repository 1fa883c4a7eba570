// Offers inputs that are small when sent and large when read, and measures how a service refuses them.
// Options: [--only Git]. Prints per input: the reason, the longest block of the event loop, how long the loop
// waited for a processor, and the peak memory of the service and of the service with its children. Exit code
// 1: an input was accepted, blocked the loop for more than 250 ms, or took more than 300 MB in all. An import
// may take 50 MB in the service itself and 500 MB in all.
import { hostileInputs } from '@casefile/e2e/hostile-sizes/inputs';
import { measure } from '@casefile/e2e/hostile-sizes/measure';

/** Limits on what one input may cost the service that receives it. */
const MOST_BLOCKED_MS = 250;
const MOST_PEAK_MB = 300;
/** An import is read by a child that may take 450 MB, and the service only passes it on. */
const IMPORT = /^Import of /;
const MOST_IMPORT_MB = 500;
const MOST_OWN_IMPORT_MB = 50;

const at = process.argv.indexOf('--only');
const only = at < 0 ? '' : (process.argv[at + 1] ?? '');
let within = true;
console.log(
  '| input | refused with | loop blocked, ms | waited for a processor, ms | peak of the service, MB | with children, MB |\n|---|---|---|---|---|---|',
);
for (const input of hostileInputs.filter(({ name }) => name.includes(only))) {
  const { name, refusedWith, blockedMs, waitedMs, peakMb, ownPeakMb } = await measure(input, true);
  console.log(
    `| ${name} | ${refusedWith ?? '**taken**'} | ${blockedMs} | ${waitedMs} | ${ownPeakMb ?? '-'} | ${peakMb ?? '-'} |`,
  );
  within &&=
    refusedWith !== null && blockedMs <= MOST_BLOCKED_MS && isWithin(name, ownPeakMb ?? 0, peakMb ?? 0);
}
process.exitCode = within ? 0 : 1;

function isWithin(name: string, own: number, all: number): boolean {
  return IMPORT.test(name) ? own <= MOST_OWN_IMPORT_MB && all <= MOST_IMPORT_MB : all <= MOST_PEAK_MB;
}

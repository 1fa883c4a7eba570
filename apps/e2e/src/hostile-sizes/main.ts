import { hostileInputs } from './inputs.js';
import { measure } from './measure.js';

/** What an input may cost the service that meets it. */
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

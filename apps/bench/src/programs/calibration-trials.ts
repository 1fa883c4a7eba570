// Measures calibration figures on seeded sets whose true curve is known, and reports how often they are right.
// Options: [--sets 1000] [--seed 1]. Exit code 1: a figure misses its limit.
import { parseArgs } from 'node:util';
import { calibrationTrials, LIMITS } from '../calibration-trials/trials.js';

const { values } = parseArgs({
  options: { sets: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});
for (const [name, value] of Object.entries(calibrationTrials(Number(values.sets), Number(values.seed)))) {
  const { text, holds } = LIMITS[name as keyof typeof LIMITS];
  if (!holds(value)) process.exitCode = 1;
  console.log(`${holds(value) ? 'ok    ' : 'MISSED'} ${text.padEnd(72)} ${value.toFixed(3)}`);
}

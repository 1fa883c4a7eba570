// Measures the rule by which an arm steps back in seeded trials: false alarms, and cases until it steps back.
// Options: [--runs 100] [--days 100] [--per-day 2000] [--seed 36]. Exit code 1: more than 3 in 100 trials at half the
// limit stepped back, or a step back took longer than the limits below.
import { parseArgs } from 'node:util';
import { stepBackTrials } from '@casefile/contracts/testing';

/** Error limits, each with the most cases that the median trial at twice the limit may take. */
const LIMITS = [
  { limit: 0.02, most: 630 },
  { limit: 0.05, most: 250 },
  { limit: 0.1, most: 120 },
  { limit: 0.2, most: 55 },
];
const MOST_IF_ALL_FAIL = 15;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    days: { type: 'string', default: '100' },
    'per-day': { type: 'string', default: '2000' },
    seed: { type: 'string', default: '36' },
  },
});
const [runs, seed] = [Number(values.runs), Number(values.seed)];
const cases = Number(values.days) * Number(values['per-day']);

console.log(`${runs} trials of ${cases} cases at half the limit; cases until the step back: median / 95 %\n`);
console.log('| limit | false alarms | at 1.5 x | at 2 x | at 4 x | all fail |');
console.log('|---|---|---|---|---|---|');
let isWithin = true;
for (const { limit, most } of LIMITS) {
  const { falseAlarms, until, allFail } = stepBackTrials(limit, { runs, cases, seed });
  const spans = (['1.5', '2', '4'] as const).map((times) => `${until[times].median} / ${until[times].most}`);
  console.log(`| ${limit * 100} % | ${falseAlarms} of ${runs} | ${spans.join(' | ')} | ${allFail} |`);
  isWithin &&= falseAlarms <= 0.03 * runs && until[2].median <= most && allFail <= MOST_IF_ALL_FAIL;
}
process.exitCode = isWithin ? 0 : 1;

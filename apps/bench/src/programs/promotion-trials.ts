// Applies the promotion rule after every case of seeded experiments, and reports how often it is wrong.
// Options: [--experiments 400] [--seed 1]. Exit code 1: an arm that loses exactly the margin was recommended in
// more than 5 % of the experiments, or an equal arm within 750 cases in fewer than 90 %.
import { parseArgs } from 'node:util';
import { quantile } from '@casefile/pipeline';
import { EQUAL, LOSING, recommendedAfter } from '../promotion-trials/trials.js';

const { values } = parseArgs({
  options: { experiments: { type: 'string', default: '400' }, seed: { type: 'string', default: '1' } },
});
const [experiments, seed] = [Number(values.experiments), Number(values.seed)];
const percent = (count: number) => `${((100 * count) / experiments).toFixed(1)} %`;
const recommended = (outcomes: (number | null)[]) =>
  outcomes.filter((after): after is number => after !== null).sort((a, b) => a - b);

for (const [name, trial] of Object.entries(LOSING)) {
  const { length } = recommended(recommendedAfter(trial, experiments, seed));
  if (length > 0.05 * experiments) process.exitCode = 1;
  console.log(`${name.padEnd(20)} loses the margin: recommended in ${percent(length)} (at most 5 %)`);
}
const caseCounts = recommended(recommendedAfter({ ...EQUAL, cases: 3_000 }, experiments, seed));
const within = caseCounts.filter((after) => after <= EQUAL.cases).length;
if (within < 0.9 * experiments) process.exitCode = 1;
console.log(
  `${'paired, 5 points'.padEnd(20)} equal: recommended within ${EQUAL.cases} cases in ${percent(within)}, median ${quantile(caseCounts, 0.5)}`,
);

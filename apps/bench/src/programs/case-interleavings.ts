// Runs random interleavings of alerts, verdicts, answers and batches through the rules of a case.
import { parseArgs } from 'node:util';
import { ALL_RULES, CASE_RULES, type CaseRule } from '@casefile/contracts';
import { interleavings } from '@casefile/contracts/testing';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    mutations: { type: 'boolean', default: false },
  },
});
const [count, seed] = [Number(values.count), Number(values.seed)];

const broken = interleavings(count, seed, ALL_RULES);
console.log(`${count} interleavings from seed ${seed}: ${broken.size} sentences violated`);
for (const [sentence, at] of broken) console.log(`  ${sentence} (seed ${at})`);

let unnoticed = 0;
for (const rule of values.mutations ? (Object.keys(CASE_RULES) as CaseRule[]) : []) {
  const found = [...interleavings(Math.min(count, 4_000), seed, new Set([rule]))];
  if (found.length === 0) unnoticed += 1;
  const [first] = found.toSorted(([, a], [, b]) => a - b);
  console.log(`without ${rule}: ${first === undefined ? 'NOT NOTICED' : `${first[0]} (seed ${first[1]})`}`);
}
process.exitCode = broken.size + unnoticed === 0 ? 0 : 1;

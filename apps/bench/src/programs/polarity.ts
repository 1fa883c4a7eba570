// Measures the polarity check of research on labelled sentence pairs, in the folder that CASEFILE_TRAINING_DATA names.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from '@casefile/contracts';
import { clausesOf, findOpposite } from '@casefile/pipeline/reading/index';

// `pairs.jsonl`, in the folder or in its subfolder `negation`: one pair per line, with the name of its part
// of the data. The check flags a pair if the hypothesis states the opposite of the premise in the same words.
const { CASEFILE_TRAINING_DATA: folder } = process.env;
const FILES = ['negation/pairs.jsonl', 'pairs.jsonl'];
const file = FILES.map((name) => join(folder ?? '', name)).find((path) => existsSync(path));
if (folder === undefined || file === undefined) {
  console.error(`CASEFILE_TRAINING_DATA: expected a folder with ${FILES.join(' or ')}`);
  process.exit(2);
}

const LABELS = ['entailment', 'neutral', 'contradiction'] as const;
const pairSchema = z.object({
  set: z.string(),
  premise: z.string(),
  hypothesis: z.string(),
  label: z.enum(LABELS),
});
type Pair = z.infer<typeof pairSchema>;

const pairs = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => pairSchema.parse(JSON.parse(line)));
const flagged = new Set(
  pairs.filter(({ hypothesis, premise }) => findOpposite(hypothesis, clausesOf(premise)) !== null),
);

const sets = [...new Set(pairs.map(({ set }) => set))].sort();
console.log(`${'part'.padEnd(32)}${LABELS.map((label) => label.padStart(22)).join('')}`);
for (const set of sets) print(set, (pair) => pair.set === set);
print('all', () => true);

const wrong = pairs.filter((pair) => pair.label === 'entailment' && flagged.has(pair)).slice(0, 10);
if (wrong.length > 0) console.log('\ntrue statements that are flagged:');
for (const { premise, hypothesis } of wrong) console.log(`- ${premise}\n  ${hypothesis}`);

function print(name: string, isOf: (pair: Pair) => boolean): void {
  const cells = LABELS.map((label) => {
    const own = pairs.filter((pair) => pair.label === label && isOf(pair));
    const flaggedCount = own.filter((pair) => flagged.has(pair)).length;
    const share = own.length === 0 ? '' : ` (${((100 * flaggedCount) / own.length).toFixed(1)} %)`;
    return `${flaggedCount} of ${own.length}${share}`.padStart(22);
  });
  console.log(`${name.padEnd(32)}${cells.join('')}`);
}

// Shows the promises R1 to R18: runs each, prints one table and writes it to docs/results/proofs.md. Options:
// [R7 ...] [--seed 1] [--short] [--mutations] [--no-page]. --mutations: runs the short form of each with its
// mechanism switched off, and expects it to fail. --no-page: does not write the page. Exit code 1: a promise was
// not kept, or a mutation was not found.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { onPrivatePostgres } from '@casefile/e2e/testing/private-postgres';
import { PROOFS } from '../proofs/index.js';
import {
  mutationLines,
  mutationTable,
  resultLines,
  resultPage,
  resultTable,
  type PageFacts,
} from '../proofs/result-page.js';
import { ProofSuite } from '../proofs/suite.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const PAGE = `${ROOT}docs/results/proofs.md`;

const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

const args = process.argv.slice(2);
const has = (name: string): boolean => args.includes(`--${name}`);
const seedAt = args.indexOf('--seed');
const seed = seedAt < 0 ? 1 : Number(args[seedAt + 1]);
const requestedIds = args.filter((arg) => /^R\d+$/i.test(arg)).map((arg) => arg.toUpperCase());
const unknown = requestedIds.filter((id) => !PROOFS.some((proof) => proof.id === id));
if (unknown.length > 0 || !Number.isInteger(seed)) {
  console.error(`expected R1 to R18 and an integer as the seed; got ${args.join(' ')}`);
  process.exit(2);
}
const proofs = requestedIds.length === 0 ? PROOFS : PROOFS.filter(({ id }) => requestedIds.includes(id));

const suite = new ProofSuite({
  seed,
  short: has('short'),
  row: ({ id, passed, measured, seconds }) =>
    console.log(`${passed ? 'kept    ' : 'NOT KEPT'} ${id}: ${measured} (${seconds} s)`),
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => suite.end());

await onPrivatePostgres(async (postgres) => {
  process.env['CASEFILE_TEST_POSTGRES'] = postgres.url('postgres');
  const facts: PageFacts = {
    date: new Date().toISOString().slice(0, 10),
    commit:
      git('rev-parse', '--short=8', 'HEAD') +
      (git('status', '--porcelain', '.', ':!docs') === '' ? '' : ' with changes'),
    load: `load ${loadavg()[0]?.toFixed(0)} on ${cpus().length} cores`,
    seed,
    short: has('short'),
  };
  return has('mutations') ? mutations(facts) : promises(facts);
});

async function promises(facts: PageFacts): Promise<boolean> {
  const rows = await suite.run(proofs);
  const results = resultLines(PROOFS, rows, facts);
  console.log(`\n${resultTable(results)}`);
  write({ results });
  const passedCount = rows.filter(({ passed }) => passed).length;
  console.log(`\n${passedCount} of ${proofs.length} promises kept`);
  return passedCount === proofs.length;
}

async function mutations(facts: PageFacts): Promise<boolean> {
  const rows = await suite.mutations(proofs, ({ id, found, what, measured, seconds }) =>
    console.log(`${found ? 'found    ' : 'NOT FOUND'} ${id}, ${what}: ${measured} (${seconds} s)`),
  );
  const lines = mutationLines(PROOFS, rows, facts);
  console.log(`\n${mutationTable(lines)}`);
  write({ mutations: lines });
  const foundCount = rows.filter((row) => row.found).length;
  console.log(`\n${foundCount} of ${proofs.length} mutations found`);
  return foundCount === proofs.length;
}

/** Writes the rows of proofs that ran to their end. */
function write(rows: Parameters<typeof resultPage>[2]): void {
  if (has('no-page') || suite.isEnded) return;
  writeFileSync(PAGE, resultPage(PROOFS, existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '', rows));
}

// `npm test`: runs every check and spec of the repository, also on a fresh clone. The last line is `N passed,
// N failed`. `npm test -- libs/queue`: runs jest on a part, with the same servers. `--affected`: runs what the
// change needs, see affected.mjs. `--watch`: runs again after each change, see watch.mjs. `npm run test:whole`:
// runs the specs below folders named `whole` alone: the promises on every layout, in every way, at every moment.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CHECKS, runChecks } from './checks.mjs';
import { install } from './install.mjs';
import { leftOut } from './jest/outside-programs.mjs';
import { root } from './root.mjs';
import {
  classTable,
  expensiveFiles,
  overTheLimit,
  readUsage,
  slowestFiles,
  USAGE,
} from './suite-figures.mjs';

const isWhole = process.argv[2] === '--whole';
const only = process.argv.slice(isWhole ? 3 : 2);
// With paths, Jest runs what they name, of both tiers. See jest.config.mjs.
const tier = isWhole ? 'whole' : only.length === 0 ? 'fast' : 'all';
if (isWhole) console.log('The specs of the whole tier alone. `npm test` runs the checks and the fast tier.');

await install();
if (only.includes('--watch'))
  await (await import('./watch.mjs')).watchSpecs(only.filter((one) => one !== '--watch'));
const { chooseSpecs } = await import('./imports/choose-specs.mjs');
const { args, needsBuild } = await chooseSpecs(only, isWhole);
if (args === null) process.exit(0);
if (needsBuild) await (await import('./build.mjs')).build();
let passed = 0;
let failed = 0;
// Before the specs, not beside them: waiting browsers and processes then waited longer than a test may.
const checks = tier === 'fast' ? await runChecks() : undefined;
if (checks !== undefined) {
  failed += checks.failures.length;
  passed += CHECKS.length - checks.failures.length;
}
const report = join(root, 'node_modules/.cache/jest-results.json');
for (const file of [report, USAGE]) rmSync(file, { force: true });
// Jest does not create the folder, and after an install it does not exist.
mkdirSync(dirname(report), { recursive: true });
const jest = await run(process.execPath, [
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--json',
  `--outputFile=${report}`,
  ...args,
]);
addJest(jest);
for (const { name, install, files } of leftOut()) {
  console.log(`\nLeft out for want of ${name}: ${files.length} files of tests. To have them: ${install}.`);
  for (const file of files) console.log(`  ${file}`);
}
if (tier !== 'all') printFigures();
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Prints processor time by class and file, and counts files over the limit as failures. */
function printFigures() {
  const files = readUsage();
  console.log(`\n${classTable(files, checks)}\n\n${slowestFiles(files)}`);
  if (tier !== 'fast') return;
  const expensive = expensiveFiles(files);
  if (expensive.length > 0) console.log(`\nExpensive for the fast tier: ${expensive.join(', ')}`);
  for (const file of overTheLimit(files)) {
    console.log(`FAIL ${file} takes more processor time than a file of the fast tier may`);
    failed += 1;
  }
}

function addJest(code) {
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    passed += result.numPassedTests;
    // A suite that could not run at all counts as one failure.
    failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  } catch {
    failed += 1;
  }
  if (code !== 0 && failed === 0) failed = 1;
}

/** Runs a command, which prints while it runs, and returns its exit code. It ends with this program. */
function run(command, args) {
  const env = { ...process.env, CASEFILE_TIER: tier, CASEFILE_TEST_USAGE: USAGE };
  const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      child.kill(signal);
      process.exitCode = 1;
    });
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

// `npm test`: runs every check and spec of the repository, also on a fresh clone. The last line is `N passed,
// N failed`. `npm test -- libs/queue`: runs jest on a part, with the same servers. `--affected`: runs what the
// change needs, see affected.mjs. `--watch`: runs again after each change, see watch.mjs. `npm run test:whole`:
// runs the specs below folders named `whole` alone: the promises on every layout, in every way, at every moment.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { install } from './install.mjs';
import { endedChildrenMs } from './jest/usage.mjs';
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

const NX = { NX_ISOLATE_PLUGINS: 'false', NX_LOAD_DOT_ENV_FILES: 'false', NX_DAEMON: 'false' };
const isWhole = process.argv[2] === '--whole';
const only = process.argv.slice(isWhole ? 3 : 2);
// With paths, Jest runs what they name, of both tiers. See jest.config.mjs.
const tier = isWhole ? 'whole' : only.length === 0 ? 'fast' : 'all';
if (isWhole) console.log('The specs of the whole tier alone. `npm test` runs the checks and the fast tier.');

/**
 * Targets of the project `casefile` in package.json. One ESLint run for the whole repository takes half as
 * long as one per project.
 */
const CHECKS = ['lint', 'typecheck', 'typecheck-dashboard', 'format', 'docs'];

await install();
if (only.includes('--watch'))
  await (await import('./watch.mjs')).watchSpecs(only.filter((one) => one !== '--watch'));
const { chooseSpecs } = await import('./imports/choose-specs.mjs');
const { args, needsBuild } = await chooseSpecs(only, isWhole);
if (args === null) process.exit(0);
if (needsBuild) await (await import('./build.mjs')).build();
let passed = 0;
let failed = 0;
const checks = tier === 'fast' ? await timed(check) : undefined;
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
addJest(jest.exit);
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

/** Returns the processor and wall seconds that `work` takes in processes that it starts and that end. */
async function timed(work) {
  const [before, started] = [endedChildrenMs(), Date.now()];
  await work();
  return { processor: (endedChildrenMs() - before) / 1000, wall: (Date.now() - started) / 1000 };
}

/** Runs the checks that are not tests, and prints the output of each. */
async function check() {
  const targets = `--targets=${CHECKS.join(',')}`;
  const nx = join(root, 'node_modules/.bin/nx');
  const args = ['run-many', '--projects=casefile', targets, '--parallel=4', '--outputStyle=static'];
  const { exit, printed } = await run(nx, args, 'pipe');
  const namedTargets = CHECKS.filter((name) => printed.includes(`- casefile:${name}\n`));
  // If Nx fails without naming a target, it has not run them.
  const failures = exit === 0 ? [] : namedTargets.length > 0 ? namedTargets : CHECKS;
  if (exit !== 0) console.log(printed);
  for (const name of CHECKS) console.log(`${failures.includes(name) ? 'FAIL' : 'ok  '} ${name}`);
  failed += failures.length;
  passed += CHECKS.length - failures.length;
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

/**
 * Runs a command.
 * @param stdio `inherit`: it prints while it runs; `pipe`: its output is returned at the end, separate from
 * the output of others.
 */
function run(command, args, stdio = 'inherit') {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...NX, CASEFILE_TIER: tier, CASEFILE_TEST_USAGE: USAGE },
    stdio: ['inherit', stdio, stdio],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => (printed += text));
  return new Promise((resolve) => child.on('close', (code) => resolve({ exit: code ?? 1, printed })));
}

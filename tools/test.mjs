// `npm test`: runs every check and spec of the repository, also on a fresh clone. The last line is `N passed,
// N failed`. `npm test -- libs/queue`: runs jest on a part, with the same servers.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { install } from './install.mjs';
import { leftOut } from './jest/outside-programs.mjs';
import { root } from './root.mjs';
import { slowestFiles } from './slowest-files.mjs';

const NX = { NX_ISOLATE_PLUGINS: 'false', NX_LOAD_DOT_ENV_FILES: 'false', NX_DAEMON: 'false' };
const only = process.argv.slice(2);

/**
 * Targets of the project `casefile` in package.json. One ESLint run for the whole repository takes half as
 * long as one per project.
 */
const CHECKS = ['lint', 'typecheck', 'typecheck-dashboard', 'format', 'docs'];

await install();
const { build } = await import('./build.mjs');
await build();
let passed = 0;
let failed = 0;
if (only.length === 0) await check();
const report = join(root, 'node_modules/.cache/jest-results.json');
rmSync(report, { force: true });
// Jest does not create the folder, and after an install it does not exist.
mkdirSync(dirname(report), { recursive: true });
const jest = await run(process.execPath, [
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--json',
  `--outputFile=${report}`,
  ...only,
]);
addJest(jest.exit);
for (const { name, install, files } of leftOut()) {
  console.log(`\nLeft out for want of ${name}: ${files.length} files of tests. To have them: ${install}.`);
  for (const file of files) console.log(`  ${file}`);
}
if (only.length === 0) console.log(`\n${slowestFiles(report)}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

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
    env: { ...process.env, ...NX },
    stdio: ['inherit', stdio, stdio],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => (printed += text));
  return new Promise((resolve) => child.on('close', (code) => resolve({ exit: code ?? 1, printed })));
}

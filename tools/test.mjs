// `npm test`: everything that can tell whether the house stands, on a fresh clone too. Closes on `N passed, N failed`.
// `npm test -- libs/queue`: jest on a part, with the same servers.
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install } from './install.mjs';
import { leftOut } from './jest/outside-programs.mjs';
import { root } from './root.mjs';

const NX = { NX_ISOLATE_PLUGINS: 'false', NX_LOAD_DOT_ENV_FILES: 'false', NX_DAEMON: 'false' };
const LINTED = ['libs', 'apps', 'tools', 'eslint.config.mjs', 'jest.config.mjs'];
const only = process.argv.slice(2);

/** TypeScript 7, a quarter of the time of 6; the linter needs the library of 6 beside it. Both have a program `tsc`. */
const TYPES = '../typescript-native/bin/tsc';

/** What is checked without running it. One ESLint for all of the house takes half as long as one a project. */
const CHECKS = [
  [
    'lint (and the fences between the libraries)',
    // The fences skip themselves where there is no graph of the projects, or an old one.
    ['nx', ['graph', '--file', join(root, 'node_modules/.cache/graph.json')]],
    ['eslint', [...LINTED, '--max-warnings=0']],
  ],
  ['types', [TYPES, ['--noEmit', '-p', 'tsconfig.json']]],
  ['types of the dashboard', [TYPES, ['--noEmit', '-p', 'apps/dashboard/tsconfig.json']]],
  ['formatting', ['prettier', ['--check', '.', '--log-level=warn']]],
];

await install();
const { build } = await import('./build.mjs');
await build();
let passed = 0;
let failed = 0;
if (only.length === 0) await Promise.all(CHECKS.map(check));
const report = join(tmpdir(), `casefile-jest-${process.pid}.json`);
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
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Runs the commands of a check one after another, up to the first that fails, and prints what that one printed. */
async function check([what, ...commands]) {
  let last = { exit: 0, printed: '' };
  for (const [command, args] of commands)
    if (last.exit === 0) last = await run(join(root, 'node_modules/.bin', command), args, 'pipe');
  if (last.exit === 0) passed += 1;
  else failed += 1;
  console.log(last.exit === 0 ? `ok   ${what}` : `${last.printed}FAIL ${what}`);
}

function addJest(code) {
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    passed += result.numPassedTests;
    // A suite that could not run at all counts as one failure.
    failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
    rmSync(report);
  } catch {
    failed += 1;
  }
  if (code !== 0 && failed === 0) failed = 1;
}

/** @param stdio `inherit`: it prints as it goes; `pipe`: what it printed comes with its end, not mixed with others'. */
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

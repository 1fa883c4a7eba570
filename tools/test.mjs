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
const only = process.argv.slice(2);

await install();
const { build } = await import('./build.mjs');
await build();
const checks =
  only.length > 0
    ? []
    : [
        [
          'lint (and the fences between the libraries)',
          'nx',
          ['run-many', '-t', 'lint', '--output-style=static'],
        ],
        [
          'lint of the tools',
          'eslint',
          ['tools', 'eslint.config.mjs', 'jest.config.mjs', '--max-warnings=0'],
        ],
        ['types', 'tsc', ['--noEmit', '-p', 'tsconfig.json']],
        ['types of the dashboard', 'tsc', ['--noEmit', '-p', 'apps/dashboard/tsconfig.json']],
        ['formatting', 'prettier', ['--check', '.', '--log-level=warn']],
      ];
let passed = 0;
let failed = 0;
for (const [what, command, args] of checks)
  count(what, await run(join(root, 'node_modules/.bin', command), args, NX));
const report = join(tmpdir(), `casefile-jest-${process.pid}.json`);
const code = await run(process.execPath, [
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  '--json',
  `--outputFile=${report}`,
  ...only,
]);
addJest(code);
for (const { name, install, files } of leftOut()) {
  console.log(`\nLeft out for want of ${name}: ${files.length} files of tests. To have them: ${install}.`);
  for (const file of files) console.log(`  ${file}`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

function count(what, code) {
  if (code === 0) passed += 1;
  else failed += 1;
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${what}`);
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

function run(command, args, env = {}) {
  const child = spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  return new Promise((resolve) => child.on('close', (exit) => resolve(exit ?? 1)));
}

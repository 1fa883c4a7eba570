// `npm run calm [-- --runs 10 --busy 4 PATH...]`: runs the fast tier, or the specs that PATH names, again and
// again beside busy loops on the same cores, and lists the tests that failed. A test that fails only on a busy
// machine is a defect. Exit code 0: none failed.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { root } from './root.mjs';

const options = { runs: { type: 'string', default: '10' }, busy: { type: 'string', default: '4' } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const runs = countOf('runs', 1, 100);
const busy = countOf('busy', 0, 64);
const report = join(root, 'node_modules/.cache/calm-results.json');

await install();
await build();
mkdirSync(dirname(report), { recursive: true });
// Threads of this process, so that they end with it, also when it is interrupted.
const loops = Array.from({ length: busy }, () => new Worker('for (;;);', { eval: true }));
const failures = [];
for (let run = 1; run <= runs; run += 1) {
  rmSync(report, { force: true });
  const started = Date.now();
  await jest();
  const failed = failedTests();
  failures.push(...failed.map((test) => `run ${run}: ${test}`));
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`run ${run} of ${runs} beside ${busy} busy loops: ${seconds} s, ${failed.length} failed`);
}
await Promise.all(loops.map((loop) => loop.terminate()));
for (const failure of failures) console.log(failure);
console.log(`${runs} runs, ${failures.length} failures`);
process.exit(failures.length === 0 ? 0 : 1);

function countOf(name, least, most) {
  const count = Number(values[name]);
  if (Number.isInteger(count) && count >= least && count <= most) return count;
  console.error(`--${name}: expected a whole number from ${least} to ${most}, got "${values[name]}"`);
  process.exit(1);
}

function jest() {
  const args = ['--no-warnings', 'node_modules/jest/bin/jest.js', '--json', `--outputFile=${report}`];
  const tier = positionals.length === 0 ? 'fast' : 'all';
  const child = spawn(process.execPath, [...args, ...positionals], {
    cwd: root,
    env: { ...process.env, CASEFILE_TIER: tier },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve) => child.on('close', resolve));
}

/** Returns the failed tests of the last run; a file that could not run counts as one. */
function failedTests() {
  let results;
  try {
    ({ testResults: results } = JSON.parse(readFileSync(report, 'utf8')));
  } catch (error) {
    return [`Jest wrote no results: ${error.message}`];
  }
  return results.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    const file = relative(root, name);
    if (failed.length === 0 && status === 'failed') return [`${file}: ${firstLine(message)}`];
    return failed.map((test) => `${file}: ${test.fullName}: ${firstLine(test.failureMessages.join('\n'))}`);
  });
}

function firstLine(text) {
  return text.split('\n', 1)[0];
}

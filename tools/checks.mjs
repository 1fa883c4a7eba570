// Runs the checks of the repository that are not tests. `npm test` starts it beside the specs.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { endedChildrenMs } from './jest/usage.mjs';
import { root } from './root.mjs';

/**
 * Targets of the project `casefile` in package.json. One ESLint run for the whole repository takes half as
 * long as one per project.
 */
export const CHECKS = ['lint', 'typecheck', 'typecheck-dashboard', 'format', 'docs'];

/** The checks take the time that the specs leave, because specs wait and checks only compute. */
const NICE = 10;

/**
 * Starts the checks in a process of their own.
 * @returns a promise of the names of those that failed, and of the processor and wall seconds of all. Their output
 *   is printed when they have ended, if one failed.
 */
export function runChecks() {
  const child = spawn(process.execPath, [new URL(import.meta.url).pathname], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return new Promise((resolve) => {
    let result = { failures: CHECKS, processor: 0, wall: 0 };
    child.on('message', (message) => (result = message));
    child.on('close', () => resolve(result));
  });
}

async function check() {
  const args = [
    'run-many',
    '--projects=casefile',
    `--targets=${CHECKS.join(',')}`,
    '--parallel=2',
    '--outputStyle=static',
  ];
  const env = {
    ...process.env,
    NX_ISOLATE_PLUGINS: 'false',
    NX_LOAD_DOT_ENV_FILES: 'false',
    NX_DAEMON: 'false',
  };
  const child = spawn(join(root, 'node_modules/.bin/nx'), args, { cwd: root, env });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const exit = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  const named = CHECKS.filter((name) => printed.includes(`- casefile:${name}\n`));
  // If Nx fails without naming a target, it has not run them.
  const failures = exit === 0 ? [] : named.length > 0 ? named : CHECKS;
  if (exit !== 0) console.log(printed);
  for (const name of CHECKS) console.log(`${failures.includes(name) ? 'FAIL' : 'ok  '} ${name}`);
  return failures;
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  setPriority(NICE);
  const started = Date.now();
  const failures = await check();
  process.send?.({ failures, processor: endedChildrenMs() / 1000, wall: (Date.now() - started) / 1000 });
  process.disconnect?.();
  process.exitCode = failures.length === 0 ? 0 : 1;
}

// The checks of the repository that are not tests.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endedChildrenMs } from './jest/usage.mjs';
import { root } from './root.mjs';

/**
 * Targets of the project `casefile` in package.json. One ESLint run for the whole repository takes half as
 * long as one per project.
 */
export const CHECKS = ['lint', 'typecheck', 'typecheck-dashboard', 'format', 'docs'];

const NX = { NX_ISOLATE_PLUGINS: 'false', NX_LOAD_DOT_ENV_FILES: 'false', NX_DAEMON: 'false' };

/**
 * Runs the checks, and prints a line for each. If one fails, it prints the output of all.
 * @returns the names of those that failed, and the processor and wall seconds of all.
 */
export async function runChecks() {
  const [before, started] = [endedChildrenMs(), Date.now()];
  const failures = await failedChecks();
  for (const name of CHECKS) console.log(`${failures.includes(name) ? 'FAIL' : 'ok  '} ${name}`);
  return {
    failures,
    processor: (endedChildrenMs() - before) / 1000,
    wall: (Date.now() - started) / 1000,
  };
}

async function failedChecks() {
  const targets = `--targets=${CHECKS.join(',')}`;
  const args = ['run-many', '--projects=casefile', targets, '--parallel=4', '--outputStyle=static'];
  const child = spawn(join(root, 'node_modules/.bin/nx'), args, {
    cwd: root,
    env: { ...process.env, ...NX },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (printed += text));
  const exit = await new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
  if (exit === 0) return [];
  console.log(printed);
  const named = CHECKS.filter((name) => printed.includes(`- casefile:${name}\n`));
  // If Nx fails without naming a target, it has not run them.
  return named.length > 0 ? named : CHECKS;
}

import { execFile, type ExecFileOptions } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@casefile/contracts/testing';
import { childEnvironment, STOP_WITHIN_MS } from '@casefile/runtime';
import { closeAtEnd } from '@casefile/runtime/process-end';
import type { Row } from './report.js';

/** Runs a command that ends with the bench. */
async function run(command: string, args: string[], options: ExecFileOptions = {}) {
  const over = new AbortController();
  const running = promisify(execFile)(command, args, { ...options, encoding: 'utf8', signal: over.signal });
  const forget = closeAtEnd(() => {
    over.abort();
    return running.catch(() => undefined);
  }, STOP_WITHIN_MS);
  try {
    return await running;
  } finally {
    forget();
  }
}

const ROOT = join(fileURLToPath(import.meta.url), '../../../../..');
const START_LIMIT_MS = 180_000;

const PORTS = Object.fromEntries(
  ['CONSOLE', 'INGEST', 'EVIDENCE_COLLECTOR', 'REASONER', 'CRITIC_WRITER', 'DECISION'].map((name) => [
    `${name}_PORT`,
    '0',
  ]),
);

/** Measures `npm start -- --once` with a new data folder, and again with the existing folder. */
export async function starting(): Promise<Row[]> {
  const data = temporaryFolder('start');
  try {
    const cold = await startOnce(ROOT, data);
    const warm = await startOnce(ROOT, data);
    return [
      row('start to first verdict, new data', secondsIn(cold, /first after ([\d.]+) s/), 10),
      row('warm start to ready', secondsIn(warm, /Ready after ([\d.]+) s/), 3),
    ];
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

/** Measures a clone of this repository's last commit, installed and built with npm's cache only. */
export async function cloneToBuilt(): Promise<Row[]> {
  const dir = temporaryFolder('clone');
  const clone = join(dir, 'clone');
  try {
    const from = performance.now();
    await run('git', ['clone', '--quiet', ROOT, clone]);
    const arrive = `for (const step of ['install', 'build'])
      await (await import(process.cwd() + '/tools/' + step + '.mjs'))[step]()`;
    await run(process.execPath, ['--input-type=module', '-e', arrive], {
      cwd: clone,
      timeout: START_LIMIT_MS,
    });
    return [row('clone to built (the npm cache as it is)', (performance.now() - from) / 1000, 90)];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function startOnce(cwd: string, data: string): Promise<string> {
  const env = childEnvironment({
    ...PORTS,
    CASEFILE_DATA: data,
    LLM_PROVIDER: 'none',
    RDAP_BASE_URL: 'off',
    NODE_OPTIONS: '',
  });
  const { stdout, stderr } = await run(process.execPath, ['tools/start.mjs', '--', '--once'], {
    cwd,
    env,
    timeout: START_LIMIT_MS,
  });
  return stdout + stderr;
}

function secondsIn(output: string, pattern: RegExp): number {
  const seconds = pattern.exec(output)?.[1];
  if (seconds === undefined)
    throw new Error(`the start did not say ${pattern.source}: ${output.slice(-500)}`);
  return Number(seconds);
}

function row(name: string, seconds: number, limit: number): Row {
  return { name, figure: `${seconds.toFixed(1)} s`, ratio: seconds / limit, wanted: `<= ${limit} s` };
}

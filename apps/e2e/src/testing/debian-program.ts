import { spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CasefileError } from '@casefile/contracts';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { downloaded, freePort } from '@casefile/embedded/testing';

const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/casefile-programs/', import.meta.url));

/** A program of Debian, and the root of the tree that its other files lie in. */
export interface DebianProgram {
  path: string;
  root: string;
}

/**
 * Returns a program with the name of its package. A missing package is downloaded with apt and unpacked once
 * for all tests, without an installation that would start its service.
 * @throws CasefileError `program_missing` that states what to install.
 */
export function debianProgram(name: string): DebianProgram {
  const installed = `/usr/bin/${name}`;
  if (existsSync(installed)) return { path: installed, root: '/' };
  const root = join(CACHE, name);
  const path = join(root, installed);
  if (!existsSync(path)) unpack(name, root);
  return { path, root };
}

// Two tests can run this concurrently. Each unpacks to its own folder, and the first result is kept.
function unpack(name: string, root: string): void {
  mkdirSync(CACHE, { recursive: true });
  const aside = mkdtempSync(`${root}-`);
  const unpacks = (file: string): boolean =>
    spawnSync('dpkg-deb', ['-x', file, 'unpacked'], { cwd: aside, stdio: 'ignore' }).status === 0;
  const isFetched = process.getuid?.() === 0 && downloaded(name, aside);
  const file = readdirSync(aside).find((entry) => entry.endsWith('.deb'));
  if (!isFetched || file === undefined || !unpacks(file))
    throw new CasefileError(
      'program_missing',
      `This test needs Debian's package ${name}: apt-get install ${name}`,
    );
  try {
    renameSync(join(aside, 'unpacked'), root);
  } catch (error) {
    if (!existsSync(root)) throw error;
  }
  rmSync(aside, { recursive: true, force: true });
}

/** Configuration file, data folder and port of a server. */
interface Place {
  config: string;
  data: string;
  port: number;
}

/**
 * Starts a server that answers `/-/ready`, in its own folder and on a free loopback port.
 * @throws CasefileError `not_ready` with the end of its output.
 */
export async function startServer(
  program: string,
  configOf: (port: number) => object,
  argsOf: (place: Place) => string[],
): Promise<{ url: string; stop(): Promise<void> }> {
  const dir = temporaryFolder('server');
  const place = { config: join(dir, 'config.yml'), data: join(dir, 'data'), port: await freePort() };
  const log = join(dir, 'log');
  writeFileSync(place.config, JSON.stringify(configOf(place.port)));
  const child = spawn(program, argsOf(place), { stdio: ['ignore', 'ignore', openSync(log, 'a')], cwd: dir });
  const over = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const url = `http://127.0.0.1:${place.port}`;
  const stop = async () => {
    child.kill('SIGKILL');
    await over;
  };
  try {
    await until(`${program} answers`, () => child.exitCode !== null || answers(`${url}/-/ready`), 100);
    if (child.exitCode !== null) throw new Error(`exit code ${child.exitCode}`);
  } catch (cause) {
    await stop();
    const output = readFileSync(log, 'utf8').slice(-2_000);
    throw new CasefileError('not_ready', `${program} did not start: ${output}`, { cause });
  }
  return { url, stop };
}

async function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

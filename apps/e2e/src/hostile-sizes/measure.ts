import { fork, type ChildProcess } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@casefile/contracts/testing';
import type { HostileInput } from './hostile-input.js';
import type { Met } from './service.js';

/** How one input was met. */
export interface Measured extends Met {
  name: string;
  /** Memory of the service and its children at its peak, above what the service had before; null: not known here. */
  peakMb: number | null;
}

/** From where it was built, also in a spec. */
const SERVICE = fileURLToPath(new URL('../../dist/hostile-sizes/service.js', import.meta.url));
const EVERY_MS = 10;
const PAGE_BYTES = 4_096;

/** Has a service of its own meet the input, and watches its memory from outside. */
export async function measure(input: HostileInput, full: boolean): Promise<Measured> {
  const folder = temporaryFolder('hostile');
  try {
    const { place, close = () => Promise.resolve() } = await input.offer(folder, full);
    const service = fork(SERVICE, [input.name, place], {
      execArgv: ['--no-warnings'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    try {
      return { name: input.name, ...(await meet(service)) };
    } finally {
      service.kill('SIGKILL');
      await close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function meet(service: ChildProcess): Promise<Met & { peakMb: number | null }> {
  await message(service);
  const before = await memoryOf(service.pid ?? 0);
  let peak = before;
  let isOver = false;
  const met = message(service) as Promise<Met>;
  const watched = (async () => {
    while (!isOver) {
      peak = Math.max(peak, await memoryOf(service.pid ?? 0));
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  })();
  service.send('begin');
  try {
    const result = await met;
    return { ...result, peakMb: before === 0 ? null : Math.round((peak - before) / 1e6) };
  } finally {
    isOver = true;
    await watched;
  }
}

function message(service: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    service.once('message', resolve);
    service.once('error', reject);
    service.once('exit', (code, signal) => reject(new Error(`the service ended with ${signal ?? code}`)));
  });
}

/** Bytes that a process and all below it have in memory; 0 where the system has no /proc. */
async function memoryOf(pid: number): Promise<number> {
  const [own, children] = await Promise.all([
    readFile(`/proc/${pid}/statm`, 'utf8').catch(gone),
    childrenOf(pid),
  ]);
  const below = await Promise.all(children.map(memoryOf));
  return Number(own.split(' ')[1] ?? 0) * PAGE_BYTES + below.reduce((sum, bytes) => sum + bytes, 0);
}

// Each thread has the children that it started.
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(gone));
  return (await Promise.all(lists)).flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

/** A process that has ended meanwhile has no memory. */
const gone = (): string => '';

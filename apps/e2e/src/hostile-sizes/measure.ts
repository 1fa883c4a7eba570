import { fork, type ChildProcess } from 'node:child_process';
import { readdir, readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@casefile/contracts/testing';
import type { HostileInput } from './hostile-input.js';
import type { Met, Order } from './service.js';

/** Peak memory above the memory before; null: the system does not report it. */
interface Peak {
  /** Of the service and its children. */
  peakMb: number | null;
  /** Of the service alone. */
  ownPeakMb: number | null;
}

/** Measurements of one input. */
export interface Measured extends Met, Peak {
  name: string;
}

/** The built program, also in a spec. */
const SERVICE = fileURLToPath(new URL('../../dist/hostile-sizes/service.js', import.meta.url));
const EVERY_MS = 10;
const PAGE_BYTES = 4_096;

/** A service that reads inputs one after another. */
export interface HostileService {
  meet(input: HostileInput, full: boolean): Promise<Measured>;
  stop(): void;
}

/** Lets a separate service read the input, and watches its memory from outside. */
export async function measure(input: HostileInput, full: boolean): Promise<Measured> {
  const service = startHostileService();
  try {
    return await service.meet(input, full);
  } finally {
    service.stop();
  }
}

export function startHostileService(): HostileService {
  const service = fork(SERVICE, [], {
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return {
    meet: async (input, full) => {
      const folder = temporaryFolder('hostile');
      try {
        const { place, close = () => Promise.resolve() } = await input.offer(folder, full);
        try {
          return { name: input.name, ...(await meet(service, { name: input.name, place })) };
        } finally {
          await close();
        }
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    stop: () => void service.kill('SIGKILL'),
  };
}

async function meet(service: ChildProcess, order: Order): Promise<Met & Peak> {
  const ready = message(service);
  service.send(order);
  await ready;
  const pid = service.pid ?? 0;
  const before = { all: await memoryOf(pid), own: await ownMemoryOf(pid) };
  const peak = { ...before };
  let isOver = false;
  const met = message(service) as Promise<Met>;
  const watched = (async () => {
    while (!isOver) {
      peak.own = Math.max(peak.own, await ownMemoryOf(pid));
      peak.all = Math.max(peak.all, await memoryOf(pid));
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  })();
  service.send('begin');
  try {
    const result = await met;
    const above = (which: 'all' | 'own') =>
      before.own === 0 ? null : Math.round((peak[which] - before[which]) / 1e6);
    return { ...result, peakMb: above('all'), ownPeakMb: above('own') };
  } finally {
    isOver = true;
    await watched;
  }
}

function message(service: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null, signal: string | null) =>
      reject(new Error(`the service ended with ${signal ?? code}`));
    service.once('error', reject);
    service.once('exit', ended);
    service.once('message', (sent) => {
      service.off('error', reject);
      service.off('exit', ended);
      resolve(sent);
    });
  });
}

/** Returns the memory of a process and its descendants in bytes; 0 on a system without /proc. */
async function memoryOf(pid: number): Promise<number> {
  const [own, children] = await Promise.all([ownMemoryOf(pid), childrenOf(pid)]);
  const below = await Promise.all(children.map(memoryOf));
  return own + below.reduce((sum, bytes) => sum + bytes, 0);
}

async function ownMemoryOf(pid: number): Promise<number> {
  const pages = await readFile(`/proc/${pid}/statm`, 'utf8').catch(gone);
  return Number(pages.split(' ')[1] ?? 0) * PAGE_BYTES;
}

// Each thread lists the children that it started.
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(gone));
  return (await Promise.all(lists)).flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

/** Returned for a process that has ended meanwhile: it has no memory. */
const gone = (): string => '';

import { fork, type ChildProcess } from 'node:child_process';
import { serialize } from 'node:v8';
import { fileURLToPath } from 'node:url';
import {
  builtModule,
  CasefileError,
  unlessAborted,
  type BoundedRunner,
  type BoundedTask,
  type ReasonCode,
  type TaskContext,
} from '@casefile/contracts';
import type { ChildMessage } from './child.js';
import { ENDED_BY } from './ended-by.js';

const CHILD = fileURLToPath(builtModule('./child.js', import.meta.url));
/**
 * A process whose heap is full is ended by the watchdog, by V8 (the next three signals) or by the kernel (the
 * last).
 */
const OUT_OF_MEMORY: readonly (NodeJS.Signals | null)[] = [
  ENDED_BY.memory,
  'SIGABRT',
  'SIGTRAP',
  'SIGILL',
  'SIGKILL',
];
/** Megabytes that a new process uses outside its heap. */
const BESIDE_HEAP_MB = 40;
/** Limit for the stored stderr text, in characters, of a process that ends unexpectedly. */
const MOST_STDERR = 2_000;

/**
 * Runs each task in a child process. Tasks with the same name run one after the other, so that their memory
 * does not add up.
 */
export function createBoundedProcesses(): BoundedRunner {
  const turns = new Map<string, Promise<unknown>>();
  return {
    async run(task, bytes, args, context = {}) {
      const { signal = new AbortController().signal, onProgress = () => undefined } = context;
      const before = turns.get(task.what) ?? Promise.resolve();
      const mine = unlessAborted(signal, before).then(() =>
        runNow(task, bytes, args, { signal, onProgress }),
      );
      turns.set(task.what, Promise.allSettled([before, mine]));
      return mine;
    },
  };
}

async function runNow<Args, Result>(
  task: BoundedTask<Args, Result>,
  bytes: Uint8Array,
  args: Args,
  { signal, onProgress }: TaskContext,
): Promise<Result> {
  signal.throwIfAborted();
  const child = start(task);
  const abort = () => child.kill('SIGKILL');
  signal.addEventListener('abort', abort, { once: true });
  try {
    give(child, bytes, args);
    const message = await lastMessage(child, task, onProgress);
    if ('value' in message) return message.value as Result;
    throw errorOf(message.error);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
    abort();
  }
}

// The child gets no environment, because it reads untrusted input and needs no keys. It has its own process
// group: Ctrl-C reaches only the parent, and the child ends when the parent ends.
function start({ limits, module }: BoundedTask<never, unknown>): ChildProcess {
  return fork(CHILD, [module.href, JSON.stringify(limits)], {
    env: {},
    execArgv: [`--max-old-space-size=${limits.memoryMb - BESIDE_HEAP_MB}`, '--no-warnings'],
    stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    detached: true,
  });
}

function give({ stdin }: ChildProcess, bytes: Uint8Array, args: unknown): void {
  const head = serialize(args);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  // A child that is being ended stops reading its input, which is expected. Its signal tells why it was
  // ended.
  stdin?.on('error', () => undefined);
  stdin?.write(length);
  stdin?.write(head);
  stdin?.end(bytes);
}

function lastMessage(
  child: ChildProcess,
  task: BoundedTask<never, unknown>,
  onProgress: TaskContext['onProgress'],
): Promise<Exclude<ChildMessage, { progress: unknown }>> {
  let written = '';
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => (written = (written + text).slice(-MOST_STDERR)));
  return new Promise((resolve, reject) => {
    child.on('message', (message: ChildMessage) => {
      if ('progress' in message) onProgress(...message.progress);
      else resolve(message);
    });
    child.once('error', reject);
    child.once('close', (code, signal) =>
      reject(exceeded(task, signal) ?? broken(task, code, signal, written)),
    );
  });
}

function exceeded(
  { what, advice, limits }: BoundedTask<never, unknown>,
  signal: NodeJS.Signals | null,
): CasefileError | null {
  const limit = OUT_OF_MEMORY.includes(signal)
    ? `${limits.memoryMb} MB of memory`
    : signal === ENDED_BY.time
      ? `${limits.timeMs / 1_000} s`
      : null;
  if (limit === null) return null;
  return new CasefileError('too_large', `${what} needs more than ${limit} to be read. ${advice}`);
}

function broken(
  { what }: BoundedTask<never, unknown>,
  code: number | null,
  signal: NodeJS.Signals | null,
  written: string,
): CasefileError {
  const how = signal ?? `exit code ${code}`;
  return new CasefileError(
    'unexpected',
    `The process that reads ${what} ended with ${how}. ${written}`.trim(),
  );
}

function errorOf({ reasonCode, message }: Extract<ChildMessage, { error: unknown }>['error']): Error {
  return reasonCode === null ? new Error(message) : new CasefileError(reasonCode as ReasonCode, message);
}

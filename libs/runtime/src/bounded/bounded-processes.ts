import { fork, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { deserialize, serialize } from 'node:v8';
import { fileURLToPath } from 'node:url';
import {
  builtModule,
  CasefileError,
  taskInput,
  unlessAborted,
  unpackError,
  type BoundedRunner,
  type BoundedTask,
  type CallContext,
  type Pages,
  type ReasonCode,
  type TaskInput,
} from '@casefile/contracts';
import type { ChildMessage, InputHead, PageRequest } from './child.js';
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
 * Runs each task in a child process. Tasks of one lane run one after the other, so that their memory does not
 * add up.
 */
export function createBoundedProcesses(): BoundedRunner {
  const lanes = new Map<string, Promise<unknown>>();
  const runner: BoundedRunner = {
    run: (task, input, args, context = {}) =>
      runner.runPaged(task, input, args, context, async (result) => result),
    async runPaged(task, input, args, context, use) {
      const { signal = new AbortController().signal, onProgress = () => undefined } = context;
      const lane = task.lane ?? task.what;
      const before = lanes.get(lane) ?? Promise.resolve();
      const mine = unlessAborted(signal, before).then(() =>
        runNow(task, { input: taskInput(input), args }, { signal, onProgress }, use),
      );
      lanes.set(lane, Promise.allSettled([before, mine]));
      return mine;
    },
  };
  return runner;
}

async function runNow<Args, Result, Page, T>(
  task: BoundedTask<Args, Result, Page>,
  { input, args }: { input: TaskInput; args: Args },
  { signal, onProgress }: CallContext,
  use: (result: Result, pages: Pages<Page>) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const child = start(task);
  const abort = () => child.kill('SIGKILL');
  signal.addEventListener('abort', abort, { once: true });
  try {
    const next = messagesOf(child, task, onProgress);
    const [message] = await Promise.all([next(), give(child, input, args)]);
    if ('error' in message) throw errorOf(message.error);
    if (!('value' in message)) throw new Error('a page came before the result');
    return await use(message.value as Result, pagesOf(child, message.pages, next));
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
function start({ limits, module }: Pick<BoundedTask<never, unknown>, 'limits' | 'module'>): ChildProcess {
  return fork(CHILD, [module.href, JSON.stringify(limits)], {
    env: {},
    execArgv: [`--max-old-space-size=${limits.memoryMb - BESIDE_HEAP_MB}`, '--no-warnings'],
    stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
    detached: true,
  });
}

/** Writes the input piece by piece. @throws the error of the pieces. */
async function give({ stdin }: ChildProcess, { size, pieces }: TaskInput, args: unknown): Promise<void> {
  if (stdin === null) return;
  const head = serialize({ args, size } satisfies InputHead);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(head.length);
  // A child that is being ended stops reading its input, which is expected. Its signal tells why it was
  // ended.
  stdin.on('error', () => undefined);
  stdin.write(length);
  stdin.write(head);
  for await (const piece of pieces()) {
    if (!stdin.writable) return;
    if (!stdin.write(piece)) await drained(stdin);
  }
  stdin.end();
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.once('drain', done).once('close', done);
  });
}

type ChildResult = Exclude<ChildMessage, { progress: unknown }>;

/** Returns a function for the next message of the child. It rejects with the reason why the child ended. */
function messagesOf(
  child: ChildProcess,
  task: TaskNames,
  onProgress: CallContext['onProgress'],
): () => Promise<ChildResult> {
  let written = '';
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => (written = (written + text).slice(-MOST_STDERR)));
  let take: { resolve(message: ChildResult): void; reject(error: Error): void } | null = null;
  let end: Error | null = null;
  const ended = (error: Error) => {
    end ??= error;
    take?.reject(end);
  };
  child.on('message', (message: ChildMessage) => {
    if ('progress' in message) onProgress(...message.progress);
    else take?.resolve(message);
  });
  child.once('error', ended);
  child.once('close', (code, signal) => ended(exceeded(task, signal) ?? broken(task, code, signal, written)));
  return () =>
    new Promise((resolve, reject) => {
      take = { resolve, reject };
      if (end !== null) reject(end);
    });
}

/** Fetches a page only when it is read, so that this process holds one at a time. */
function pagesOf<Page>(child: ChildProcess, count: number, next: () => Promise<ChildResult>): Pages<Page> {
  return {
    async *[Symbol.asyncIterator]() {
      for (let page = 0; page < count; page += 1) {
        const answer = next();
        child.send({ page } satisfies PageRequest, () => undefined);
        const message = await answer;
        if (!('page' in message)) throw new Error('the child sent no page');
        yield deserialize(message.page) as Page;
      }
    },
  };
}

type TaskNames = Pick<BoundedTask<never, unknown>, 'what' | 'advice' | 'limits'>;

function exceeded({ what, advice, limits }: TaskNames, signal: NodeJS.Signals | null): CasefileError | null {
  const limit = OUT_OF_MEMORY.includes(signal)
    ? `${limits.memoryMb} MB of memory`
    : signal === ENDED_BY.time
      ? `${limits.timeMs / 1_000} s`
      : null;
  if (limit === null) return null;
  return new CasefileError('too_large', `${what} needs more than ${limit} to be read. ${advice}`);
}

function broken(
  { what }: TaskNames,
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

function errorOf({
  reasonCode,
  message,
  invalid,
}: Extract<ChildMessage, { error: unknown }>['error']): Error {
  if (reasonCode === null) return new Error(message);
  return unpackError({ reasonCode: reasonCode as ReasonCode, message, ...(invalid ? { invalid } : {}) });
}

// Entry point of a bounded task: `child.js <module> <limits>`. Arguments and bytes arrive on standard input.
// The child loads the task's module after its watchdog has started. It keeps the pages of a result until the
// parent has fetched those that it needs and ends the child.
import { deserialize, serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';

/** Head of the input: what follows it. */
export interface InputHead {
  args: unknown;
  /** Bytes that follow. */
  size: number;
}

/** Message from the parent to its child: the number of the page that it needs. */
export interface PageRequest {
  page: number;
}

/** Message from the child to its parent. */
export type ChildMessage =
  | { progress: [done: number, total: number] }
  | { value: unknown; pages: number }
  | { page: Uint8Array }
  | { error: { reasonCode: string | null; message: string; invalid?: { problems: []; what: string } } };

const [module = '', limits = '{}'] = process.argv.slice(2);
const ended = new AbortController();

// The parent has ended or no longer needs the result.
process.once('disconnect', () => process.exit(1));

const watchdog = await startWatchdog();
const { args, bytes } = await readInput();
/** As they are sent: a page takes less memory than its values. */
const pages: Buffer[] = [];
const context = {
  signal: ended.signal,
  onProgress: (done: number, total: number) => void send({ progress: [done, total] }),
  keep: (page: unknown) => void pages.push(serialize(page)),
};
const outcome = await taskOutcome();
// From here on, the parent decides how long it needs the pages.
watchdog.postMessage('has a result');
process.on('message', ({ page }: PageRequest) => void send({ page: pages[page] ?? Buffer.alloc(0) }));
await send(outcome);
if (pages.length === 0) process.exit(0);

async function taskOutcome(): Promise<ChildMessage> {
  try {
    const { run } = (await import(module)) as { run(...given: unknown[]): Promise<unknown> };
    return { value: await run(bytes, args, context), pages: pages.length };
  } catch (error) {
    pages.length = 0;
    const {
      reasonCode = null,
      message = String(error),
      problems,
      what = 'input',
    } = error as { reasonCode?: string; message?: string; problems?: []; what?: string };
    const invalid = problems === undefined ? {} : { invalid: { problems, what } };
    return { error: { reasonCode, message, ...invalid } };
  }
}

function send(message: ChildMessage): Promise<void> {
  return new Promise((sent, failed) => {
    if (process.send === undefined) return failed(new Error('only its parent starts a bounded task'));
    process.send(message, undefined, undefined, (error) => (error ? failed(error) : sent()));
  });
}

async function startWatchdog(): Promise<Worker> {
  const workerData = { ...(JSON.parse(limits) as object), parent: process.ppid };
  const thread = new Worker(new URL('./watchdog.js', import.meta.url), { workerData });
  await new Promise<void>((ready, failed) => {
    thread.once('message', () => ready());
    thread.once('error', failed);
  });
  thread.unref();
  return thread;
}

// The bytes are copied into their place, because joining chunks at the end would need twice the memory.
async function readInput(): Promise<{ args: unknown; bytes: Buffer }> {
  let before = Buffer.alloc(0);
  let head: InputHead | null = null;
  let all = Buffer.alloc(0);
  let filled = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    let rest = chunk;
    if (head === null) {
      before = Buffer.concat([before, chunk]);
      const end = before.length < 4 ? Infinity : 4 + before.readUInt32BE(0);
      if (before.length < end) continue;
      head = deserialize(before.subarray(4, end)) as InputHead;
      all = Buffer.alloc(head.size);
      rest = before.subarray(end);
    }
    filled += rest.copy(all, filled);
  }
  return { args: head?.args, bytes: all };
}

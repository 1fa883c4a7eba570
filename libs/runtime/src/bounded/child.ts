// Entry point of a bounded task: `child.js <module> <limits>`. Arguments and bytes arrive on standard input.
// The child loads the task's module after its watchdog has started.
import { deserialize } from 'node:v8';
import { Worker } from 'node:worker_threads';

/** Message from the child to its parent. */
export type ChildMessage =
  | { progress: [done: number, total: number] }
  | { value: unknown }
  | { error: { reasonCode: string | null; message: string } };

const [module = '', limits = '{}'] = process.argv.slice(2);
const ended = new AbortController();

// The parent has ended or no longer needs the result.
process.once('disconnect', () => process.exit(1));

await startWatchdog();
const input = await readInput();
const argsLength = input.readUInt32BE(0);
const args: unknown = deserialize(input.subarray(4, 4 + argsLength));
const context = {
  signal: ended.signal,
  onProgress: (done: number, total: number) => void send({ progress: [done, total] }),
};
await send(await outcomeOf(input.subarray(4 + argsLength)));
process.exit(0);

async function outcomeOf(bytes: Buffer): Promise<ChildMessage> {
  try {
    const { run } = (await import(module)) as { run(...given: unknown[]): Promise<unknown> };
    return { value: await run(bytes, args, context) };
  } catch (error) {
    const { reasonCode = null, message = String(error) } = error as { reasonCode?: string; message?: string };
    return { error: { reasonCode, message } };
  }
}

function send(message: ChildMessage): Promise<void> {
  return new Promise((sent, failed) => {
    if (process.send === undefined) return failed(new Error('only its parent starts a bounded task'));
    process.send(message, undefined, undefined, (error) => (error ? failed(error) : sent()));
  });
}

async function startWatchdog(): Promise<void> {
  const workerData = { ...(JSON.parse(limits) as object), parent: process.ppid };
  const watchdog = new Worker(new URL('./watchdog.js', import.meta.url), { workerData });
  await new Promise<void>((ready, failed) => {
    watchdog.once('message', () => ready());
    watchdog.once('error', failed);
  });
  watchdog.unref();
}

async function readInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

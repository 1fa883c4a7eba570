import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BoundedTask, TaskLimits } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { createBoundedProcesses } from './bounded-processes.js';

const folder = temporaryFolder('bounded');
let tasks = 0;

/** Returns a task whose module has this body. */
function task(body: string, limits: Partial<TaskLimits> = {}): BoundedTask<unknown, unknown> {
  tasks += 1;
  const file = join(folder, `task-${tasks}.mjs`);
  writeFileSync(file, `export async function run(bytes, args, context) { ${body} }`);
  const module = pathToFileURL(file);
  return {
    what: `Task ${tasks}`,
    advice: 'Make it smaller.',
    limits: { memoryMb: 150, timeMs: 60_000, ...limits },
    module,
    load: () => Promise.reject(new Error('loaded by the child alone')),
  };
}

describe('S4-14 work on bytes from outside, in a process of its own', () => {
  const runner = createBoundedProcesses();
  const run = (
    body: string,
    limits: Partial<TaskLimits> = {},
    bytes = Buffer.from('abc'),
    args: unknown = {},
  ) => runner.run(task(body, limits), bytes, args);

  it('returns a result that keeps bytes, and what is done meanwhile', async () => {
    const seen: number[][] = [];
    const given = task(
      `context.onProgress(1, 2); return { sum: bytes.length + args.n, bytes: bytes.subarray(1), keys: Object.keys(process.env) };`,
    );
    const onProgress = (...step: number[]) => seen.push(step);
    const result = await runner.run(given, Buffer.alloc(3_000_000, 7), { n: 2 }, { onProgress });
    // The child gets no environment, because it may contain keys.
    expect(result).toMatchObject({ sum: 3_000_002, keys: [] });
    expect((result as { bytes: Uint8Array }).bytes.length).toBe(2_999_999);
    expect(seen).toEqual([[1, 2]]);
  });

  it.each([
    ['Buffers', 'const all = []; for (;;) all.push(Buffer.alloc(8e6, 1));'],
    ['one Buffer', 'return Buffer.alloc(3e9, 1).length;'],
    ['its heap', 'const all = []; for (;;) all.push({ a: [1, 2] });'],
  ])('is ended when it fills %s, with the limit', async (_what, body) => {
    await expect(run(body)).rejects.toMatchObject({
      reasonCode: 'too_large',
      message: expect.stringMatching(
        /^Task \d+ needs more than 150 MB of memory to be read\. Make it smaller\.$/,
      ),
    });
  });

  it('is ended after its time, also when it never yields', async () => {
    await expect(run('for (;;);', { timeMs: 300 })).rejects.toMatchObject({
      reasonCode: 'too_large',
      message: expect.stringContaining('needs more than 0.3 s'),
    });
  });

  it('is ended when its caller no longer wants it', async () => {
    const stop = new AbortController();
    const given = task('context.onProgress(1, 1); for (;;);');
    const onProgress = () => stop.abort(new Error('called off'));
    await expect(
      runner.run(given, Buffer.alloc(0), null, { signal: stop.signal, onProgress }),
    ).rejects.toThrow('called off');
  });

  it('has the errors of its module, with their codes', async () => {
    const refused = `throw Object.assign(new Error('no text'), { reasonCode: 'empty_document' });`;
    await expect(run(refused)).rejects.toMatchObject({ reasonCode: 'empty_document', message: 'no text' });
    await expect(run(`throw new TypeError('a bug');`)).rejects.toThrow('a bug');
    await expect(run('process.exit(3)')).rejects.toMatchObject({
      reasonCode: 'unexpected',
      message: expect.stringContaining('exit code 3'),
    });
  });

  it('waits for a task of the same name', async () => {
    const given = task('await new Promise((r) => setTimeout(r, args.ms)); return Date.now();');
    const times = await Promise.all(
      [200, 0].map((ms) => runner.run(given, Buffer.alloc(0), { ms }) as Promise<number>),
    );
    expect(times[1]).toBeGreaterThanOrEqual(times[0] ?? 0);
  });
});

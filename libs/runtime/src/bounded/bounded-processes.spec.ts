import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BoundedTask, TaskLimits } from '@casefile/contracts';
import { temporaryFolder, until, pause } from '@casefile/contracts/testing';
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

/** Waits until the process is gone. */
const isGone = (pid: unknown): Promise<void> =>
  until(`process ${String(pid)} is gone`, () => {
    try {
      return !process.kill(pid as number, 0);
    } catch (error) {
      expect(error).toMatchObject({ code: 'ESRCH' });
      return true;
    }
  });

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
    const onProgress = () => stop.abort(new Error('cancelled'));
    await expect(
      runner.run(given, Buffer.alloc(0), null, { signal: stop.signal, onProgress }),
    ).rejects.toThrow('cancelled');
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

  it('gets its bytes in pieces, and fails with the error of the pieces', async () => {
    const given = task('return bytes.toString();');
    const pieces = async function* () {
      for (const text of ['ab', '', 'c'.repeat(300_000)]) yield Buffer.from(text);
    };
    expect(await runner.run(given, { size: 300_002, pieces }, null)).toBe(`ab${'c'.repeat(300_000)}`);
    const broken = async function* () {
      yield Buffer.from('ab');
      throw new Error('the store is away');
    };
    await expect(runner.run(given, { size: 300_002, pieces: broken }, null)).rejects.toThrow('store is away');
  });

  it('keeps pages of its result, which are fetched one by one and as often as needed', async () => {
    const given = task(
      'for (let i = 0; i < 3; i += 1) context.keep([i, new Date(i)]); return "three";',
    ) as BoundedTask<null, string, [number, Date]>;
    const read = await runner.runPaged(given, Buffer.alloc(0), null, {}, async (result, pages) => {
      const all: unknown[] = [result];
      for (let time = 0; time < 2; time += 1) for await (const page of pages) all.push(page);
      return all;
    });
    const pages = [0, 1, 2].map((i) => [i, new Date(i)]);
    expect(read).toEqual(['three', ...pages, ...pages]);
  });

  it('does not count the time in which its pages are read', async () => {
    const given = task('context.keep(1); return 1;', { timeMs: 2_000 });
    const read = runner.runPaged(given, Buffer.alloc(0), null, {}, async (_result, pages) => {
      await pause(2_200, 'The time limit of the task passes while its pages wait.');
      const all: unknown[] = [];
      for await (const page of pages) all.push(page);
      return all;
    });
    expect(await read).toEqual([1]);
  });

  it('is over when its pages have been read, or could not be used, or are no longer wanted', async () => {
    const given = task('context.keep(1); return process.pid;');
    const stop = new AbortController();
    let pid: unknown = null;
    const unused = runner.runPaged(given, Buffer.alloc(0), null, {}, async (result) => {
      pid = result;
      throw new Error('no room');
    });
    await expect(unused).rejects.toThrow('no room');
    await isGone(pid);
    const unwanted = runner.runPaged(
      given,
      Buffer.alloc(0),
      null,
      { signal: stop.signal },
      async (result, pages) => {
        pid = result;
        stop.abort(new Error('cancelled'));
        for await (const page of pages) expect(page).toBeUndefined();
      },
    );
    await expect(unwanted).rejects.toThrow('cancelled');
    await isGone(pid);
  });

  it('names every wrong field of an invalid input', async () => {
    const problems = [{ path: 'line 2', message: 'expected a number' }];
    const refused = `throw Object.assign(new Error('x'), ${JSON.stringify({ reasonCode: 'invalid_input', problems, what: 'file' })});`;
    await expect(run(refused)).rejects.toMatchObject({
      problems,
      message: 'The file is not valid: line 2: expected a number',
    });
  });

  it('waits for a task of the same name or lane', async () => {
    const given = task('await new Promise((r) => setTimeout(r, args.ms)); return Date.now();');
    for (const second of [given, { ...task('return Date.now();'), lane: given.what }]) {
      const [one, two] = [given, second].map(
        (next, i) => runner.run(next, Buffer.alloc(0), { ms: i === 0 ? 200 : 0 }) as Promise<number>,
      );
      expect(await two).toBeGreaterThanOrEqual((await one) ?? 0);
    }
  });
});

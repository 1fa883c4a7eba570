import { taskInput, type BoundedRunner } from '../ports/bounded-runner.js';

/** Runs tasks in this process, from their source and without limits. The tasks' own checks apply. */
export const inProcessRunner: BoundedRunner = {
  run: (task, input, args, context = {}) =>
    inProcessRunner.runPaged(task, input, args, context, async (result) => result),
  runPaged: async (task, input, args, context, use) => {
    const { signal = new AbortController().signal, onProgress = () => undefined } = context;
    signal.throwIfAborted();
    const { run } = await task.load();
    const pieces: Uint8Array[] = [];
    for await (const piece of taskInput(input).pieces()) pieces.push(piece);
    const [only] = pieces;
    const bytes =
      pieces.length === 1 && only !== undefined
        ? Buffer.from(only.buffer, only.byteOffset, only.byteLength)
        : Buffer.concat(pieces);
    type Page = Parameters<Parameters<typeof run>[2]['keep']>[0];
    const pages: Page[] = [];
    const keep = (page: Page) => void pages.push(page);
    return use(await run(bytes, args, { signal, onProgress, keep }), pages);
  },
};

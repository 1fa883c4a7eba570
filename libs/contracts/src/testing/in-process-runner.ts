import type { BoundedRunner } from '../ports/bounded-runner.js';

/** Runs tasks in this process, from their source and without limits. The tasks' own checks apply. */
export const inProcessRunner: BoundedRunner = {
  run: async (task, bytes, args, context = {}) => {
    const { signal = new AbortController().signal, onProgress = () => undefined } = context;
    signal.throwIfAborted();
    const { run } = await task.load();
    return run(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), args, { signal, onProgress });
  },
};

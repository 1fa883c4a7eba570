// A thread that ends its process when the process exceeds its memory or time limit, or when its parent has
// ended. A thread keeps working while the process is busy, and a busy parent cannot delay it.
import { parentPort, workerData } from 'node:worker_threads';
import { ENDED_BY } from './ended-by.js';

/** A process that allocates as fast as it can takes about 20 MB in this time. */
const EVERY_MS = 10;

const { memoryMb, timeMs, parent } = workerData as { memoryMb: number; timeMs: number; parent: number };
let until = performance.now() + timeMs;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  if (process.memoryUsage.rss() > memoryMb * 1_000_000) process.kill(process.pid, ENDED_BY.memory);
  if (performance.now() > until) process.kill(process.pid, ENDED_BY.time);
}, EVERY_MS);
// The only message: the task has its result. The time in which the parent reads it is not the task's.
parentPort?.once('message', () => (until = Infinity));
parentPort?.postMessage('watching');

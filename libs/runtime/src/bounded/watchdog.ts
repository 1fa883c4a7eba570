// A thread that ends its process when it needs more memory or time than its limits, and when its parent is gone. A thread,
// since the process itself is busy then; in the same process, so that a busy parent does not delay it.
import { parentPort, workerData } from 'node:worker_threads';
import { ENDED_BY } from './ended-by.js';

/** A process that fills memory as fast as it can takes some 20 MB in this time. */
const EVERY_MS = 10;

const { memoryMb, timeMs, parent } = workerData as { memoryMb: number; timeMs: number; parent: number };
const until = performance.now() + timeMs;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  if (process.memoryUsage.rss() > memoryMb * 1_000_000) process.kill(process.pid, ENDED_BY.memory);
  if (performance.now() > until) process.kill(process.pid, ENDED_BY.time);
}, EVERY_MS);
parentPort?.postMessage('watching');

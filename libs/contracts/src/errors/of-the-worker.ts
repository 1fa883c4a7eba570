import { asCasefileError } from './casefile-error.js';

/** Codes by which ports and executor speak of the worker itself: its lease, its process, its database. */
const OF_THE_WORKER = new Set([
  'aborted',
  'stale_lease',
  'stopping',
  'store_unreachable',
  'queue_unavailable',
]);

/** Is this about the worker rather than about the work? Then the work is not judged by it, and nothing falls back for it. */
export function isOfTheWorker(thrown: unknown): boolean {
  return OF_THE_WORKER.has(asCasefileError(thrown).reasonCode);
}

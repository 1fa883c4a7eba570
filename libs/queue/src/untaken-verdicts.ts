import { MOST_AT_ONCE, TAKEN_WITHIN_MS } from './queue-options.js';
import { oldestWaiting } from './open-queue.js';
import type { BullQueue, QueueStore } from './queue-store.js';

/** A tenth more than the cap, at most this many, may be there between two looks of a process. */
const LOOK_AT_LEAST_EVERY = 100;

/**
 * Keeps the queue of verdicts from growing for ever where nobody takes from it: beyond `most` waiting jobs the oldest
 * are removed. Somebody takes from it as long as a job is under way, is tried again, or was ended within a day;
 * then nothing is removed, however many wait.
 * @returns what is to be told how many jobs were added. It removes in parts, each of some hundred jobs.
 */
export function capUntaken(
  store: QueueStore,
  queue: BullQueue,
  most: number,
): (added: number) => Promise<void> {
  const every = Math.max(1, Math.min(LOOK_AT_LEAST_EVERY, Math.floor(most / 10)));
  let unseen = every;
  return async (added) => {
    unseen += added;
    if (unseen < every) return;
    unseen = 0;
    const { waiting = 0, active = 0, delayed = 0 } = await queue.getJobCounts('waiting', 'active', 'delayed');
    if (waiting <= most || active + delayed > 0 || (await wasTakenOfLate(queue))) return;
    for (let left = waiting; left > most; left -= MOST_AT_ONCE) {
      const oldest = await oldestWaiting(store, queue, left, Math.min(left - most, MOST_AT_ONCE));
      await Promise.all(oldest.map((job) => job.remove()));
    }
  };
}

async function wasTakenOfLate(queue: BullQueue): Promise<boolean> {
  const newest = await Promise.all([queue.getJobs(['completed'], 0, 0), queue.getJobs(['failed'], 0, 0)]);
  return newest.flat().some(({ finishedOn = 0 }) => finishedOn > Date.now() - TAKEN_WITHIN_MS);
}

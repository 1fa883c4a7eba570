import type { Logger, Nudge, Queue } from '@casefile/contracts';

/**
 * Sends wake-ups and ignores errors of the queue. No work is lost: Postgres stores what is due, and the
 * sweeper wakes units without a job.
 */
export function nudgeBestEffort(
  queue: Pick<Queue, 'nudge'>,
  log: Logger,
): (nudges: Nudge[]) => Promise<void> {
  return async (nudges) => {
    if (nudges.length === 0) return;
    try {
      await queue.nudge(nudges);
    } catch (error) {
      log.warn(
        { error, nudges: nudges.length },
        'the queue did not take the nudges, the sweeper will see to them',
      );
    }
  };
}

import { asCasefileError, type Logger, type Nudge, type Queue } from '@casefile/contracts';

/** Most refused wake-ups that a process keeps. */
const MOST_KEPT = 1_000;
/** Time for which refused wake-ups are kept. The sweeper sends wake-ups that are 10 s late. */
const KEPT_FOR_MS = 15_000;
/** Interval between two attempts. Work must continue within 2 s of the end of an outage. */
const RETRY_MS = 500;

/**
 * Returns a function that sends wake-ups and does not throw. Wake-ups that the queue temporarily refuses are sent
 * again when it answers. No work is lost without them: Postgres stores what is due, and the sweeper wakes units
 * without a job.
 */
export function nudgeBestEffort(
  queue: Pick<Queue, 'nudge' | 'ping'>,
  log: Logger,
): (nudges: Nudge[]) => Promise<void> {
  let refused: Nudge[] = [];
  let keptUntil = 0;
  let isRetrying = false;

  const retry = async (): Promise<void> => {
    const nudges = refused;
    refused = [];
    try {
      // A queue that hangs would otherwise get the same jobs with each attempt.
      await queue.ping(RETRY_MS);
      await queue.nudge(nudges);
    } catch (error) {
      const isKept = asCasefileError(error).retryable && performance.now() < keptUntil;
      if (isKept) refused = mostUrgent([...nudges, ...refused]);
    }
    isRetrying = refused.length > 0;
    if (isRetrying) retryLater();
  };
  const retryLater = (): void => void setTimeout(() => void retry(), RETRY_MS).unref();

  return async (nudges) => {
    if (nudges.length === 0) return;
    try {
      await queue.nudge(nudges);
    } catch (error) {
      // For example a queue that this version does not know.
      if (!asCasefileError(error).retryable) return log.warn({ error }, 'wake-ups cannot be sent');
      refused = mostUrgent([...refused, ...nudges]);
      keptUntil = performance.now() + KEPT_FOR_MS;
      if (isRetrying) return;
      isRetrying = true;
      // Logged once per outage.
      const facts = { error, nudges: nudges.length };
      log.warn(facts, 'the queue refused wake-ups; they are sent again when it answers');
      retryLater();
    }
  };
}

/** The newest wake-ups, those of live work first. */
function mostUrgent(nudges: Nudge[]): Nudge[] {
  if (nudges.length <= MOST_KEPT) return nudges;
  const live = nudges.filter(({ lane }) => lane === 'live').slice(-MOST_KEPT);
  const others = nudges.filter(({ lane }) => lane !== 'live');
  return [...live, ...others.slice(others.length - Math.min(others.length, MOST_KEPT - live.length))];
}

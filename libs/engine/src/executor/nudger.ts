import { asCasefileError, type Logger, type Nudge, type Queue } from '@casefile/contracts';

/** Most refused wake-ups that a process keeps. */
const MOST_KEPT = 1_000;
/** Time for which refused wake-ups are kept. The sweeper sends wake-ups that are 10 s late. */
const KEPT_FOR_MS = 15_000;
/** Interval between two attempts. Work must continue within 2 s of the end of an outage. */
const RETRY_MS = 500;

/**
 * Sends wake-ups and does not throw. Wake-ups that the queue temporarily refuses are sent again when it answers. No
 * work is lost without them: Postgres stores what is due, and the sweeper wakes units without a job.
 */
export class Nudger {
  private refused: Nudge[] = [];
  private keptUntil = 0;
  private isRetrying = false;

  constructor(
    private readonly queue: Pick<Queue, 'nudge' | 'ping'>,
    private readonly log: Logger,
  ) {}

  /** Sends the wake-ups. The jobs go to `StageExecutor.handle` and `ToolExecutor.handle`. */
  async nudge(nudges: Nudge[]): Promise<void> {
    if (nudges.length === 0) return;
    try {
      await this.queue.nudge(nudges);
    } catch (error) {
      // For example a queue that this version does not know.
      if (!asCasefileError(error).retryable) return this.log.warn({ error }, 'wake-ups cannot be sent');
      this.refused = mostUrgent([...this.refused, ...nudges]);
      this.keptUntil = performance.now() + KEPT_FOR_MS;
      if (this.isRetrying) return;
      this.isRetrying = true;
      // Logged once per outage.
      const facts = { error, nudges: nudges.length };
      this.log.warn(facts, 'the queue refused wake-ups; they are sent again when it answers');
      this.retryLater();
    }
  }

  private retryLater(): void {
    setTimeout(() => void this.retry(), RETRY_MS).unref();
  }

  private async retry(): Promise<void> {
    const nudges = this.refused;
    this.refused = [];
    try {
      // A queue that hangs would otherwise get the same jobs with each attempt.
      await this.queue.ping(RETRY_MS);
      await this.queue.nudge(nudges);
    } catch (error) {
      const isKept = asCasefileError(error).retryable && performance.now() < this.keptUntil;
      if (isKept) this.refused = mostUrgent([...nudges, ...this.refused]);
    }
    this.isRetrying = this.refused.length > 0;
    if (this.isRetrying) this.retryLater();
  }
}

/** The newest wake-ups, those of live work first. */
function mostUrgent(nudges: Nudge[]): Nudge[] {
  if (nudges.length <= MOST_KEPT) return nudges;
  const live = nudges.filter(({ lane }) => lane === 'live').slice(-MOST_KEPT);
  const others = nudges.filter(({ lane }) => lane !== 'live');
  return [...live, ...others.slice(others.length - Math.min(others.length, MOST_KEPT - live.length))];
}

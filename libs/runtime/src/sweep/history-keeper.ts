import type { Clock, History, Queue } from '@casefile/contracts';
import { VERDICTS } from '@casefile/queue';
import type { Chore } from '@casefile/engine';

/** A sample asks the queue store six commands per queue, so it is the largest part of what an idle leader asks. */
const EVERY_MS = 30_000;
/** Interval between samples of an idle installation, in milliseconds. */
const IDLE_MS = 60_000;
/**
 * Period that a process computes again when it begins to lead, in milliseconds: no process may have led
 * before.
 */
const FIRST_MS = 47 * 3_600_000;
/**
 * Period that later passes compute again, in milliseconds, because transactions that were open at the last
 * pass may have added events.
 */
const LATER_MS = 3_600_000;

interface HistoryPorts {
  history: Pick<History, 'sample' | 'sum'>;
  queue: Pick<Queue, 'depths'>;
  clock: Clock;
}

/** Stores samples of the queues and counts of failures over time. */
export class HistoryKeeper implements Chore {
  private nextAt = 0;
  private sinceMs = FIRST_MS;

  constructor(private readonly ports: HistoryPorts) {}

  async tick(): Promise<number> {
    const now = this.ports.clock.now();
    if (now < this.nextAt) return this.nextAt - now;
    const depths = await this.ports.queue.depths();
    // The queue of verdicts is left out, because other systems read it, and an installation may have no such
    // reader.
    await this.ports.history.sample(depths.filter(({ queue }) => queue !== VERDICTS));
    await this.ports.history.sum(this.sinceMs);
    this.nextAt = now + EVERY_MS;
    this.sinceMs = LATER_MS;
    return IDLE_MS;
  }
}

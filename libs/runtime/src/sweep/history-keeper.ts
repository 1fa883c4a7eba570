import type { Clock, History, Queue } from '@casefile/contracts';
import { VERDICTS } from '@casefile/queue';
import type { Chore } from './sweeper.js';

const EVERY_MS = 15_000;
/** A process that begins to lead computes what was missed while no process did. */
const FIRST_MS = 47 * 3_600_000;
/** Later, transactions that were open at the last pass may have added events. */
const LATER_MS = 3_600_000;

interface HistoryPorts {
  history: Pick<History, 'sample' | 'sum'>;
  queue: Pick<Queue, 'depths'>;
  clock: Clock;
}

/** Keeps samples of the queues and counts of failures over time. S4-61. */
export class HistoryKeeper implements Chore {
  private nextAt = 0;
  private sinceMs = FIRST_MS;

  constructor(private readonly ports: HistoryPorts) {}

  async tick(): Promise<void> {
    const now = this.ports.clock.now();
    if (now < this.nextAt) return;
    const depths = await this.ports.queue.depths();
    // Other systems read the queue of verdicts, or none does.
    await this.ports.history.sample(depths.filter(({ queue }) => queue !== VERDICTS));
    await this.ports.history.sum(this.sinceMs);
    this.nextAt = now + EVERY_MS;
    this.sinceMs = LATER_MS;
  }
}

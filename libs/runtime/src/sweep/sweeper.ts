import type { CaseStore, Leadership, Logger, Queue, SweepCandidate, Telemetry } from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import type { Outbox } from '../delivery/outbox.js';

export interface SweeperPorts {
  store: CaseStore;
  queue: Queue;
  outbox: Outbox;
  log: Logger;
  telemetry: Telemetry;
}

export interface SweeperLimits {
  /** Between two passes. */
  intervalMs: number;
  /** Rows looked at in one pass: a million waiting runs must not cost a million look-ups. */
  batch: number;
  /** When a row with a live job is looked at again. */
  aliveAgainMs: number;
  /** A delivery younger than this is still in its own worker's hands. */
  deliveryAgeMs: number;
}

export const SWEEPER_LIMITS: SweeperLimits = {
  intervalMs: 1_000,
  batch: 500,
  aliveAgainMs: 15_000,
  deliveryAgeMs: 5_000,
};

/** Finds what is due but has no job, and wakes it. One process at a time leads; any can. */
export class Sweeper {
  private timer: NodeJS.Timeout | null = null;
  private leadership: Leadership | null = null;
  private pass: Promise<void> = Promise.resolve();

  constructor(
    private readonly ports: SweeperPorts,
    private readonly limits: SweeperLimits = SWEEPER_LIMITS,
  ) {}

  start(): void {
    const next = () => {
      this.timer = setTimeout(() => {
        this.pass = this.tick().finally(() => this.timer !== null && next());
      }, this.limits.intervalMs).unref();
    };
    next();
  }

  async stop(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.pass;
    await this.leadership?.release();
    this.leadership = null;
  }

  /** One pass; an outage of store or queue ends it, the next one tries again. */
  async tick(): Promise<void> {
    try {
      this.leadership ??= await this.ports.store.lead('sweeper');
      if (this.leadership === null) return;
      if (!(await this.ports.queue.hasSentinel())) await this.refill();
      await this.sweep();
      await this.ports.outbox.flush(this.limits.batch, this.limits.deliveryAgeMs);
    } catch (error) {
      this.ports.log.warn({ error }, 'the sweep was cut short, the next one goes on');
      await this.resign();
    }
  }

  // A leader whose connection broke may not be one any more.
  private async resign(): Promise<void> {
    const leadership = this.leadership;
    this.leadership = null;
    await leadership
      ?.release()
      .catch((error: unknown) => this.ports.log.debug({ error }, 'leadership was gone already'));
  }

  /** The queue store was emptied (or is new): everything that is due gets a job again. */
  private async refill(): Promise<void> {
    let after: string | null = null;
    let woken = 0;
    do {
      const page: Awaited<ReturnType<CaseStore['allDue']>> = await this.ports.store.allDue(
        after,
        this.limits.batch,
      );
      woken += await this.wake(page.candidates, 'refill');
      after = page.next;
    } while (after !== null);
    await this.ports.queue.plantSentinel();
    this.ports.log.info({ woken }, 'the queue store was empty: what is due was put back');
  }

  private async sweep(): Promise<void> {
    const candidates = await this.ports.store.sweep(this.limits.batch);
    if (candidates.length === 0) return;
    const alive = await this.ports.queue.alive(candidates.map((candidate) => candidate.nudge));
    const waiting = candidates.filter((_, i) => alive[i]);
    if (waiting.length > 0) await this.ports.store.postpone(waiting, this.limits.aliveAgainMs);
    await this.wake(
      candidates.filter((_, i) => !alive[i]),
      'sweep',
    );
  }

  private async wake(candidates: SweepCandidate[], why: string): Promise<number> {
    if (candidates.length === 0) return 0;
    const nudges = await this.ports.store.renudge(candidates);
    await this.ports.queue.nudge(nudges);
    this.ports.telemetry.count(METRICS.sweeperNudges, { why }, nudges.length);
    return nudges.length;
  }
}

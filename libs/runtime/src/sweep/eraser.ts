import type { Clock, Erasures, Logger, Queue, RetentionDays } from '@casefile/contracts';
import type { Chore } from '@casefile/engine';

/** Cases erased in one pass: a pass must not delay the wake-ups of due units. */
const CASES = 25;
/** Cases whose age is compared in one pass. */
const COMPARED = 1_000;
/** Interval between two walks through the record. */
const EVERY_MS = 3_600_000;

/** Erases requested cases, and requests those whose retention time is over. */
export class Eraser implements Chore {
  private nextAt = 0;
  private place: string | null = null;

  constructor(
    private readonly ports: {
      erasures: Pick<Erasures, 'eraseNext' | 'requestDue'>;
      queue: Pick<Queue, 'remove'>;
      /** By kind of case; `default`: of the other kinds. */
      retention: Readonly<Record<string, RetentionDays>>;
      clock: Pick<Clock, 'now'>;
      log: Logger;
    },
  ) {}

  async tick(): Promise<boolean> {
    const { erasures, queue, retention, clock, log } = this.ports;
    if (Object.keys(retention).length > 0 && clock.now() >= this.nextAt) {
      const page = { days: retention, now: clock.now(), after: this.place, limit: COMPARED };
      this.place = await erasures.requestDue(page);
      if (this.place === null) this.nextAt = clock.now() + EVERY_MS;
    }
    const cases = await erasures.eraseNext(CASES, (ids) => queue.remove(ids));
    if (cases > 0) log.debug({ cases }, 'content of cases was erased, or waits for open work');
    return this.place !== null;
  }
}

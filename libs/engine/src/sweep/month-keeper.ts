import type { CallMonths, Clock, Logger } from '@casefile/contracts';
import type { Chore } from './sweeper.js';

const EVERY_MS = 3_600_000;
/** Model calls copied in one pass: a pass must not delay the wake-ups of due units. */
const CALLS = 2_000;

/** Adds the partitions of coming months, and frees the space of past months whose model calls were erased. */
export class MonthKeeper implements Chore {
  private nextAt = 0;
  private erased: string[] = [];

  constructor(private readonly ports: { months: CallMonths; clock: Pick<Clock, 'now'>; log: Logger }) {}

  async tick(): Promise<boolean> {
    const { months, clock, log } = this.ports;
    if (clock.now() >= this.nextAt) {
      this.nextAt = clock.now() + EVERY_MS;
      const added = await months.addAhead();
      if (added > 0) log.info({ added }, 'months of model calls were added');
      this.erased = await months.erased();
    }
    const [month] = this.erased;
    if (month === undefined) return false;
    const step = await months.copyErased(month, CALLS);
    if (step === 'more') return true;
    if (step === 'kept')
      log.debug({ month }, 'a model call of this month has its content, so its space stays');
    const sizes = step === 'all' ? await months.replace(month) : null;
    if (sizes !== null) log.info({ month, ...sizes }, 'the space of erased model calls was freed');
    // A month that could not be replaced is tried again in an hour.
    this.erased.shift();
    return this.erased.length > 0;
  }
}

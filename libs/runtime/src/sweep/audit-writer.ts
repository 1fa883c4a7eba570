import { elapsedMs } from '@casefile/contracts';
import type { AuditLog, Clock, Logger } from '@casefile/contracts';
import type { Chore } from '@casefile/engine';

/** Events read in one transaction, and transactions in one pass: an earlier record is read step by step. */
const PAGE = 2_000;
const MOST_PAGES = 10;
const HEAD_EVERY_MS = 60_000;

/**
 * Appends acts of people to the audit log. Once a minute, if the log has grown, its head is logged: a log whose end
 * was cut is found by comparing it with a head that was noted elsewhere.
 */
export class AuditWriter implements Chore {
  private loggedAt = -HEAD_EVERY_MS;
  private loggedCount = 0;
  /** Whether events were read since the head was logged, also by the process that led before. */
  private mayHaveGrown = true;

  constructor(
    private readonly ports: {
      audit: Pick<AuditLog, 'append' | 'head'>;
      clock: Pick<Clock, 'now'>;
      log: Logger;
    },
  ) {}

  async tick(signal: AbortSignal): Promise<boolean | number> {
    const { audit, clock, log } = this.ports;
    let read = PAGE;
    for (let page = 0; page < MOST_PAGES && read === PAGE && !signal.aborted; page += 1) {
      read = await audit.append(PAGE);
      this.mayHaveGrown ||= read > 0;
    }
    const sinceMs = elapsedMs(clock.now(), this.loggedAt);
    if (read === PAGE || !this.mayHaveGrown) return read === PAGE;
    if (sinceMs < HEAD_EVERY_MS) return HEAD_EVERY_MS - sinceMs;
    this.loggedAt = clock.now();
    this.mayHaveGrown = false;
    const { count, hash } = await audit.head();
    if (count !== this.loggedCount) log.info({ head: `${count}:${hash}` }, 'head of the audit log');
    this.loggedCount = count;
    return false;
  }
}

import { isIPv6 } from 'node:net';
import { asCasefileError, CasefileError, type Clock, elapsedMs } from '@casefile/contracts';

const WINDOW_MS = 60_000;
/** Addresses that are counted at the same time. The address that came first is forgotten first. */
const MOST_ADDRESSES = 10_000;

interface Count {
  since: number;
  attempts: number;
  /** Attempts of `run` whose result is not known yet. */
  running: number;
  /** Attempts that wait for running ones, in the order of their arrival. */
  waiting: Set<Waiting>;
}

interface Waiting {
  start(): void;
  fail(error: unknown): void;
}

/** Counts attempts per address in windows of one minute, in bounded memory. Each process counts its own. */
export class AttemptLimit {
  private readonly counts = new Map<string, Count>();

  constructor(
    private readonly perMinute: number,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  /** Returns the time until the address may try again, in milliseconds; 0: it may try now. */
  waitMs(address: string | undefined): number {
    const count = this.current(address);
    if (count === undefined || count.attempts < this.perMinute) return 0;
    return count.since + WINDOW_MS - this.clock.now();
  }

  /** Counts one attempt of an address. */
  note(address: string | undefined): void {
    this.counted(address).attempts += 1;
  }

  /**
   * Returns the result of `work`. Work that fails with `unauthenticated` counts as an attempt. Counted and running
   * attempts of an address together stay within the limit: work beyond it waits until running work ends. If running
   * work fails for another reason, all waiting work of the address fails with the same error.
   * @throws CasefileError `too_many` if the address has reached the limit, without starting `work`.
   */
  async run<T>(address: string | undefined, work: () => Promise<T>): Promise<T> {
    const count = this.counted(address);
    if (count.attempts + count.running < this.perMinute) count.running += 1;
    else await this.turn(count);
    try {
      const result = await work();
      this.end(count);
      return result;
    } catch (error) {
      if (asCasefileError(error).reasonCode === 'unauthenticated') {
        this.renew(count);
        count.attempts += 1;
      } else {
        for (const { fail } of count.waiting) fail(error);
        count.waiting.clear();
      }
      this.end(count);
      throw error;
    }
  }

  /** Waits until a running attempt leaves its place to this one. @throws CasefileError `too_many`. */
  private turn(count: Count): Promise<void> {
    if (count.running === 0) return Promise.reject(this.refusal(count));
    return new Promise((start, fail) => count.waiting.add({ start, fail }));
  }

  private end(count: Count): void {
    count.running -= 1;
    for (const waiting of count.waiting) {
      const isRefused = count.attempts >= this.perMinute;
      if (!isRefused && count.attempts + count.running >= this.perMinute) return;
      count.waiting.delete(waiting);
      if (isRefused) waiting.fail(this.refusal(count));
      else {
        count.running += 1;
        waiting.start();
      }
    }
  }

  private refusal({ since }: Count): CasefileError {
    const retryAfterMs = since + WINDOW_MS - this.clock.now();
    return new CasefileError('too_many', 'Too many wrong keys from this address. Try again in a minute.', {
      retryAfterMs,
    });
  }

  /** Returns the count of an address in the current minute. */
  private counted(address: string | undefined): Count {
    const key = networkOf(address);
    const existing = this.counts.get(key);
    if (existing !== undefined && elapsedMs(this.clock.now(), existing.since) < WINDOW_MS) return existing;
    this.counts.delete(key);
    const [first] = this.counts.keys();
    if (this.counts.size >= MOST_ADDRESSES && first !== undefined) this.counts.delete(first);
    const count = existing ?? { since: 0, attempts: 0, running: 0, waiting: new Set() };
    this.renew(count);
    this.counts.set(key, count);
    return count;
  }

  private renew(count: Count): void {
    const now = this.clock.now();
    if (now - count.since >= WINDOW_MS) Object.assign(count, { since: now, attempts: 0 });
  }

  private current(address: string | undefined): Count | undefined {
    const count = this.counts.get(networkOf(address));
    return count !== undefined && elapsedMs(this.clock.now(), count.since) < WINDOW_MS ? count : undefined;
  }
}

/** Returns an IPv4 address, or the /64 network of an IPv6 address, which one client can use as a whole. */
export function networkOf(address = 'unknown'): string {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '').split('%', 1)[0] ?? '';
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::', 2);
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const missing = tail === undefined ? 0 : 8 - first.length - last.length;
  const groups = [...first, ...Array.from({ length: Math.max(missing, 0) }, () => '0'), ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::`;
}

import { isIPv6 } from 'node:net';
import type { Clock } from '@casefile/contracts';

const WINDOW_MS = 60_000;
/** Addresses that are counted at the same time. The address that came first is forgotten first. */
const MOST_ADDRESSES = 10_000;

interface Count {
  since: number;
  attempts: number;
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
    const count = this.current(address);
    if (count !== undefined) return void (count.attempts += 1);
    const key = networkOf(address);
    this.counts.delete(key);
    const [first] = this.counts.keys();
    if (this.counts.size >= MOST_ADDRESSES && first !== undefined) this.counts.delete(first);
    this.counts.set(key, { since: this.clock.now(), attempts: 1 });
  }

  private current(address: string | undefined): Count | undefined {
    const count = this.counts.get(networkOf(address));
    return count !== undefined && this.clock.now() - count.since < WINDOW_MS ? count : undefined;
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

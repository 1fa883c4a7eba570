import { setMaxListeners } from 'node:events';
import { CasefileError, type Logger } from '@casefile/contracts';

/** A lease, as seen by the work that holds it. */
export interface HeldLease<L> {
  /** Aborted with `stale_lease` when the lease is lost, with `stopping` when the process stops. */
  signal: AbortSignal;
  /**
   * Replaces the lease with the one that `by` returns. Losing the old lease while `by` runs does not abort
   * the signal.
   */
  replace(by: () => Promise<L>): Promise<L>;
  /** Ends the renewals. The holder calls it when the work has ended or failed. */
  end(): void;
}

interface Holding<L> {
  lease: L;
  isBulk: boolean;
  abort: AbortController;
  /** Increases before and after each replacement of the lease. */
  version: number;
}

/** Longest duration to which the leases of a late process grow, in milliseconds. */
const LONGEST_LEASE_MS = 20_000;
/** Renewals per duration of a lease. */
const RENEWALS = 3;
/** Interval between two renewals, as a multiple of the planned one, from which a process is late. */
const LATE_FROM = 1.25;

/**
 * Renews all leases of a process in one statement, three times per lease duration. When a lease is lost, its
 * holder is asked to stop. While the store is unreachable, renewal is retried. A lost lease does no harm,
 * because the store refuses writes with its old epoch. On a busy machine renewals are late. Leases then last three of
 * the observed intervals, at most 20 s, so that other workers do not repeat the work of a slow process.
 */
export class LeaseKeeper<L> {
  private readonly holdings = new Set<Holding<L>>();
  private timer: NodeJS.Timeout | null = null;
  private renewing = false;
  private renewedAt = 0;
  private lateMs: number | null = null;

  /** @param now Milliseconds of a clock that only moves forward. */
  constructor(
    private readonly renew: (leases: L[], leaseMs: number) => Promise<L[]>,
    private readonly usualMs: number,
    private readonly log: Logger,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Duration of a new lease, in milliseconds. */
  get leaseMs(): number {
    return this.lateMs ?? this.usualMs;
  }

  /** @param isBulk Whether this is work that no sender waits for. */
  hold(lease: L, isBulk = false): HeldLease<L> {
    const holding: Holding<L> = { lease, isBulk, abort: new AbortController(), version: 0 };
    // No listener limit, because every call of a step listens to this signal, and a step may make a hundred
    // concurrent calls.
    setMaxListeners(0, holding.abort.signal);
    this.holdings.add(holding);
    if (this.timer === null) this.start();
    return {
      signal: holding.abort.signal,
      end: () => this.drop(holding),
      replace: async (by) => {
        holding.version += 1;
        try {
          return (holding.lease = await by());
        } finally {
          holding.version += 1;
        }
      },
    };
  }

  /** Number of held leases. */
  get size(): number {
    return this.holdings.size;
  }

  /** Asks all holders, or those of bulk work, to stop at their next step. */
  stopAll(which: 'all' | 'bulk' = 'all'): void {
    const reason = new CasefileError('stopping', 'the process is stopping', { retryable: true });
    for (const holding of this.holdings) if (which === 'all' || holding.isBulk) holding.abort.abort(reason);
  }

  private start(): void {
    this.renewedAt = this.now();
    this.timer = setInterval(() => void this.renewAll(), this.usualMs / RENEWALS).unref();
  }

  private drop(holding: Holding<L>): void {
    this.holdings.delete(holding);
    if (this.holdings.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    this.lateMs = null;
  }

  /** Renews all leases now. The timer calls this too. */
  async renewAll(): Promise<void> {
    if (this.renewing || this.holdings.size === 0) return;
    this.renewing = true;
    const renewals = [...this.holdings].map((holding) => ({ holding, ...holding }));
    try {
      const leases = renewals.map(({ lease }) => lease);
      this.observeInterval();
      const lost = new Set(await this.renew(leases, this.leaseMs));
      for (const { holding, lease, version } of renewals) {
        if (lost.has(lease) && holding.version === version && version % 2 === 0)
          holding.abort.abort(staleLease());
      }
    } catch (error) {
      this.log.warn({ error, leases: renewals.length }, 'leases could not be renewed, trying again');
    } finally {
      this.renewing = false;
    }
  }

  // The timer and the answer of the store before both make a renewal late.
  private observeInterval(): void {
    const [at, before] = [this.now(), this.renewedAt];
    this.renewedAt = at;
    const [intervalMs, longestMs] = [at - before, Math.max(this.usualMs, LONGEST_LEASE_MS)];
    const isLate = intervalMs > (LATE_FROM * this.usualMs) / RENEWALS;
    // The store takes whole milliseconds.
    this.lateMs = isLate ? Math.min(longestMs, Math.ceil(RENEWALS * intervalMs)) : null;
  }
}

/** Returns the error of work whose lease another worker has taken. */
export function staleLease(): CasefileError {
  return new CasefileError('stale_lease', 'another worker has taken over this work');
}

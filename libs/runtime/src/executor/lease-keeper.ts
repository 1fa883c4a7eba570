import { CasefileError, type Logger } from '@casefile/contracts';

/** What a held lease looks like to its holder. */
export interface HeldLease {
  /** Aborted with `stale_lease` when the lease is lost, with `stopping` when the process stops. */
  signal: AbortSignal;
  /** To be called when the work is over, whatever came of it. */
  end(): void;
}

interface Holding<L> {
  lease: L;
  abort: AbortController;
}

/**
 * Renews all leases of a process in one statement, a third of a lease apart, and tells the holder of
 * a lost one to stop. What it cannot renew (the store does not answer) it keeps trying: the epoch fences it.
 */
export class LeaseKeeper<L> {
  private readonly held = new Set<Holding<L>>();
  private timer: NodeJS.Timeout | null = null;
  private renewing = false;

  constructor(
    private readonly renew: (leases: L[], leaseMs: number) => Promise<L[]>,
    private readonly leaseMs: number,
    private readonly log: Logger,
  ) {}

  hold(lease: L): HeldLease {
    const holding = { lease, abort: new AbortController() };
    this.held.add(holding);
    this.timer ??= setInterval(() => void this.renewAll(), this.leaseMs / 3).unref();
    return { signal: holding.abort.signal, end: () => this.drop(holding) };
  }

  /** How many leases are held. */
  get size(): number {
    return this.held.size;
  }

  /** Tells every holder to stop at its next step. */
  stopAll(): void {
    const reason = new CasefileError('stopping', 'the process is stopping', { retryable: true });
    for (const holding of this.held) holding.abort.abort(reason);
  }

  private drop(holding: Holding<L>): void {
    this.held.delete(holding);
    if (this.held.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  /** Renews now; also called by the timer. */
  async renewAll(): Promise<void> {
    if (this.renewing || this.held.size === 0) return;
    this.renewing = true;
    const holdings = [...this.held];
    try {
      const lost = new Set(
        await this.renew(
          holdings.map((holding) => holding.lease),
          this.leaseMs,
        ),
      );
      for (const holding of holdings.filter((candidate) => lost.has(candidate.lease))) {
        holding.abort.abort(staleLease());
      }
    } catch (error) {
      this.log.warn({ error, leases: holdings.length }, 'leases could not be renewed, trying again');
    } finally {
      this.renewing = false;
    }
  }
}

/** The error of work whose lease another worker has taken. */
export function staleLease(): CasefileError {
  return new CasefileError('stale_lease', 'another worker has taken over this work');
}

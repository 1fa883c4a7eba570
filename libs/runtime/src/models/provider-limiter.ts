import {
  asCasefileError,
  CasefileError,
  type CallShare,
  type CallShares,
  type Clock,
  type Logger,
  type ProviderLimits,
} from '@casefile/contracts';

export interface LimiterPorts {
  store: CallShares;
  clock: Clock;
  log: Logger;
  /** This process, among all workers. */
  holder: string;
  /** Ends early when `signal` is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** A process that is not heard of for so long has its share taken back. */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** When others hold all calls at once nobody says when one of theirs ends: it is asked again. */
const ASK_AGAIN_MS = 100;
/** Calls asked for in one statement. */
const MOST_WANTS = 200;

interface Waiting {
  tokens: number;
  /** Milliseconds since the epoch; null: as long as it takes. */
  until: number | null;
  go(): void;
  refuse(error: Error): void;
}

/** One provider's share of this process. */
interface Share {
  limits: ProviderLimits;
  inUse: number;
  waiting: Waiting[];
  pumping: boolean;
  /** Ends the pause between two questions. */
  wake: AbortController;
  heardAt: number;
}

/** Holds the calls of this process to limits that all workers share. Where there is none, nothing is asked. */
export class ProviderLimiter {
  private readonly shares = new Map<string, Share>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly ports: LimiterPorts) {}

  /**
   * Waits for leave to make one call.
   * @param tokens what it may use at the most; asked only when there is a limit on them.
   * @returns what is to be called when the call is over.
   * @throws CasefileError `rate_limited`, without a wait, when the limits have no room before `until`.
   */
  async enter(
    provider: string,
    limits: ProviderLimits,
    call: { tokens: () => number; until: number | null; signal: AbortSignal },
  ): Promise<() => void> {
    if (!isLimited(limits)) return () => undefined;
    const share = this.shareOf(provider, limits);
    const tokens = limits.tokensPerMinute === null ? 0 : call.tokens();
    await this.wait(provider, share, { ...call, tokens });
    return () => this.leave(provider, share);
  }

  private wait(
    provider: string,
    share: Share,
    { tokens, until, signal }: { tokens: number; until: number | null; signal: AbortSignal },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const gone = () => {
        share.waiting = share.waiting.filter((one) => one !== waiting);
        reject(signal.reason as Error);
      };
      const ended = () => signal.removeEventListener('abort', gone);
      const waiting: Waiting = {
        tokens,
        until,
        go: () => (ended(), resolve()),
        refuse: (error) => (ended(), reject(error)),
      };
      signal.addEventListener('abort', gone, { once: true });
      share.waiting.push(waiting);
      this.pump(provider, share);
    });
  }

  private leave(provider: string, share: Share): void {
    share.inUse -= 1;
    // Others may be waiting for it, here or in another process.
    if (share.limits.concurrency !== null) this.pump(provider, share);
  }

  private shareOf(provider: string, limits: ProviderLimits): Share {
    const known = this.shares.get(provider);
    if (known !== undefined) return known;
    const share = { limits, inUse: 0, waiting: [], pumping: false, wake: new AbortController(), heardAt: 0 };
    this.shares.set(provider, share);
    this.timer ??= setInterval(() => this.renew(), RENEW_MS).unref();
    return share;
  }

  // While calls are under way the store hears of them, or it would give their places away.
  private renew(): void {
    for (const [provider, share] of this.shares) {
      const due = this.ports.clock.now() - share.heardAt >= RENEW_MS;
      if (share.inUse > 0 && due) this.pump(provider, share);
    }
  }

  private pump(provider: string, share: Share): void {
    share.wake.abort();
    if (share.pumping) return;
    share.pumping = true;
    void this.ask(provider, share).catch((error: unknown) => {
      this.ports.log.warn({ error, provider }, 'the shared limits of a provider could not be asked');
      for (const one of share.waiting.splice(0)) one.refuse(asCasefileError(error));
    });
  }

  private async ask(provider: string, share: Share): Promise<void> {
    try {
      do {
        share.wake = new AbortController();
        await this.askOnce(provider, share);
      } while (share.waiting.length > 0 || share.wake.signal.aborted);
    } finally {
      share.pumping = false;
    }
  }

  private async askOnce(provider: string, share: Share): Promise<void> {
    const wants = share.waiting.slice(0, MOST_WANTS);
    const answer = await this.take(provider, share, wants);
    const admitted = new Set(wants.slice(0, answer.granted));
    const going = share.waiting.filter((one) => admitted.has(one));
    share.waiting = share.waiting.filter((one) => !admitted.has(one));
    share.inUse += going.length;
    for (const one of going) one.go();
    // One that gave up meanwhile was granted a call all the same: saying anew what is in use gives it back.
    if (going.length < answer.granted) share.wake.abort();
    this.refuseLate(provider, share, answer);
    if (share.waiting.length > 0 && answer.granted < wants.length) await this.pause(share, answer);
  }

  private take(provider: string, share: Share, wants: Waiting[]): Promise<CallShare> {
    share.heardAt = this.ports.clock.now();
    return this.ports.store.takeCallShare({
      provider,
      limits: share.limits,
      holder: this.ports.holder,
      leaseMs: LEASE_MS,
      inUse: share.inUse,
      wants: wants.map((one) => one.tokens),
    });
  }

  /** Whoever cannot wait that long is told at once. */
  private refuseLate(provider: string, share: Share, { waitMs }: CallShare): void {
    const soonest = this.ports.clock.now() + (waitMs ?? 0);
    const late = share.waiting.filter((one) => one.until !== null && one.until <= soonest);
    share.waiting = share.waiting.filter((one) => !late.includes(one));
    const retryAfterMs = waitMs ?? ASK_AGAIN_MS;
    for (const one of late) {
      const message = `the limits of ${provider} that all workers share have no room in time`;
      one.refuse(new CasefileError('rate_limited', message, { retryable: true, retryAfterMs }));
    }
  }

  private async pause(share: Share, { waitMs }: CallShare): Promise<void> {
    const soonest = Math.min(...share.waiting.map((one) => one.until ?? Infinity)) - this.ports.clock.now();
    const ms = Math.max(1, Math.min(waitMs ?? ASK_AGAIN_MS, soonest, RENEW_MS));
    await this.ports.sleep(ms, share.wake.signal);
  }
}

function isLimited({ concurrency, requestsPerMinute, tokensPerMinute }: ProviderLimits): boolean {
  return concurrency !== null || requestsPerMinute !== null || tokensPerMinute !== null;
}

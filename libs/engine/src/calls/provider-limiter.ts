import {
  type ProviderLimits,
  asCasefileError,
  CasefileError,
  type CallShare,
  type Providers,
  type Clock,
  type Logger,
  elapsedMs,
} from '@casefile/contracts';

/**
 * Limits the calls of this process to its share of the limits of all workers. A provider without limits
 * causes no queries.
 */
export class ProviderLimiter {
  private readonly shares = new Map<string, ProcessShare>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly ports: ProcessSharePorts) {}

  /**
   * Waits for permission to make one call.
   * @param call `tokens` returns the most that the call may use; called only if tokens are limited. `until`,
   * in milliseconds since the epoch, is the latest time to wait for.
   * @returns the function to call when the call is over.
   * @throws CasefileError `rate_limited`, without a wait, if the limits have no room before `until`.
   */
  async enter(
    provider: string,
    limits: ProviderLimits,
    call: { tokens: () => number; until: number | null; signal: AbortSignal },
  ): Promise<() => void> {
    if (!isLimited(limits)) return () => undefined;
    const share = this.shareOf(provider, limits);
    await share.enter({ ...call, tokens: limits.tokensPerMinute === null ? 0 : call.tokens() });
    return () => share.leave();
  }

  private shareOf(provider: string, limits: ProviderLimits): ProcessShare {
    const existingShare = this.shares.get(provider);
    if (existingShare !== undefined) return existingShare;
    const share = new ProcessShare(provider, limits, this.ports);
    this.shares.set(provider, share);
    this.timer ??= setInterval(() => this.renew(), RENEW_MS).unref();
    return share;
  }

  private renew(): void {
    for (const share of this.shares.values()) share.renew();
  }
}

function isLimited({ concurrency, requestsPerMinute, tokensPerMinute }: ProviderLimits): boolean {
  return concurrency !== null || requestsPerMinute !== null || tokensPerMinute !== null;
}

interface ProcessSharePorts {
  providers: Pick<Providers, 'takeShare'>;
  clock: Clock;
  log: Logger;
  /** Id of this process among all workers. */
  holder: string;
  /** Ends early when `signal` is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** A call that waits for permission. */
interface Applicant {
  /** Most tokens that the call may use. */
  tokens: number;
  /** Milliseconds since the epoch; null: no limit on the wait. */
  until: number | null;
  signal: AbortSignal;
}

interface Waiting {
  tokens: number;
  until: number | null;
  go(): void;
  refuse(error: Error): void;
}

/** A process that is silent for this long loses its share. */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/**
 * Polling interval while other processes hold all concurrent calls, because no event reports the end of their
 * calls.
 */
const ASK_AGAIN_MS = 100;
/** Calls asked for in one statement. */
const MOST_WANTS = 200;

/** This process's share of one provider's limits. All waiting calls share one store query at a time. */
class ProcessShare {
  private inUse = 0;
  private waiting: Waiting[] = [];
  private pumping = false;
  /** Ends the pause between two queries. */
  private wake = new AbortController();
  private heardAt = 0;

  constructor(
    private readonly provider: string,
    readonly limits: ProviderLimits,
    private readonly ports: ProcessSharePorts,
  ) {}

  /**
   * Waits for permission to make one call. @throws CasefileError `rate_limited` as soon as the permission is
   * sure to come too late.
   */
  enter({ tokens, until, signal }: Applicant): Promise<void> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const gone = () => {
        this.waiting = this.waiting.filter((one) => one !== waiting);
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
      this.waiting.push(waiting);
      this.pump();
    });
  }

  /** Records the end of a call. */
  leave(): void {
    this.inUse -= 1;
    // Other calls, in this or another process, may wait for the freed place.
    if (this.limits.concurrency !== null) this.pump();
  }

  /** Reports running calls to the store, which would otherwise give their places to other processes. */
  renew(): void {
    if (this.inUse > 0 && elapsedMs(this.ports.clock.now(), this.heardAt) >= RENEW_MS) this.pump();
  }

  private pump(): void {
    this.wake.abort();
    if (this.pumping) return;
    this.pumping = true;
    void this.ask().catch((error: unknown) => {
      const { provider } = this;
      this.ports.log.warn({ error, provider }, 'the shared limits of a provider could not be asked');
      for (const one of this.waiting.splice(0)) one.refuse(asCasefileError(error));
    });
  }

  private async ask(): Promise<void> {
    try {
      do {
        this.wake = new AbortController();
        await this.askOnce();
      } while (this.waiting.length > 0 || this.wake.signal.aborted);
    } finally {
      this.pumping = false;
    }
  }

  private async askOnce(): Promise<void> {
    const wants = this.waiting.slice(0, MOST_WANTS);
    const answer = await this.take(wants);
    const admitted = new Set(wants.slice(0, answer.granted));
    const going = this.waiting.filter((one) => admitted.has(one));
    this.waiting = this.waiting.filter((one) => !admitted.has(one));
    this.inUse += going.length;
    for (const one of going) one.go();
    // The grant included a call that no longer waits. The next report of the calls in use returns its place.
    if (going.length < answer.granted) this.wake.abort();
    this.refuseLate(answer);
    if (this.waiting.length > 0 && answer.granted < wants.length) await this.pause(answer);
  }

  private take(wants: Waiting[]): Promise<CallShare> {
    this.heardAt = this.ports.clock.now();
    const { provider, limits, inUse } = this;
    const request = { provider, limits, inUse, wants: wants.map((one) => one.tokens) };
    return this.ports.providers.takeShare({ ...request, holder: this.ports.holder, leaseMs: LEASE_MS });
  }

  // Refuses calls whose time ends before the wait does, so that they can use another provider.
  private refuseLate({ waitMs }: CallShare): void {
    const soonest = this.ports.clock.now() + (waitMs ?? 0);
    const late = this.waiting.filter((one) => one.until !== null && one.until <= soonest);
    this.waiting = this.waiting.filter((one) => !late.includes(one));
    const retryAfterMs = waitMs ?? ASK_AGAIN_MS;
    for (const one of late) {
      const message = `the limits of ${this.provider} that all workers share have no room in time`;
      one.refuse(new CasefileError('rate_limited', message, { retryable: true, retryAfterMs }));
    }
  }

  private async pause({ waitMs }: CallShare): Promise<void> {
    const soonest = Math.min(...this.waiting.map((one) => one.until ?? Infinity)) - this.ports.clock.now();
    const ms = Math.max(1, Math.min(waitMs ?? ASK_AGAIN_MS, soonest, RENEW_MS));
    await this.ports.sleep(ms, this.wake.signal);
  }
}

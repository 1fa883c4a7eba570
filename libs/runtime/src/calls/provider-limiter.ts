import {
  type ProviderLimits,
  asCasefileError,
  CasefileError,
  type CallShare,
  type Providers,
  type Clock,
  type Logger,
} from '@casefile/contracts';

/** Holds the calls of this process to limits that all workers share. Where there is none, nothing is asked. */
export class ProviderLimiter {
  private readonly shares = new Map<string, ProcessShare>();
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly ports: ProcessSharePorts) {}

  /**
   * Waits for leave to make one call.
   * @param call `tokens` says what it may use at the most; asked only when there is a limit on them. `until`, in
   * milliseconds since the epoch, is how long it can wait.
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
    await share.enter({ ...call, tokens: limits.tokensPerMinute === null ? 0 : call.tokens() });
    return () => share.leave();
  }

  private shareOf(provider: string, limits: ProviderLimits): ProcessShare {
    const known = this.shares.get(provider);
    if (known !== undefined) return known;
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
  /** This process, among all workers. */
  holder: string;
  /** Ends early when `signal` is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Who wants to make a call. */
interface Applicant {
  /** What it may use at the most. */
  tokens: number;
  /** Milliseconds since the epoch; null: it waits as long as it takes. */
  until: number | null;
  signal: AbortSignal;
}

interface Waiting {
  tokens: number;
  until: number | null;
  go(): void;
  refuse(error: Error): void;
}

/** A process that is not heard of for so long has its share taken back. */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** When others hold all calls at once nobody says when one of theirs ends: it is asked again. */
const ASK_AGAIN_MS = 100;
/** Calls asked for in one statement. */
const MOST_WANTS = 200;

/** What this process has of one provider's limits: one question to the store at a time, for all that wait. */
class ProcessShare {
  private inUse = 0;
  private waiting: Waiting[] = [];
  private pumping = false;
  /** Ends the pause between two questions. */
  private wake = new AbortController();
  private heardAt = 0;

  constructor(
    private readonly provider: string,
    readonly limits: ProviderLimits,
    private readonly ports: ProcessSharePorts,
  ) {}

  /** Waits for leave to make one call. @throws CasefileError `rate_limited` as soon as it is sure to come too late. */
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

  /** A call is over. */
  leave(): void {
    this.inUse -= 1;
    // Others may be waiting for it, here or in another process.
    if (this.limits.concurrency !== null) this.pump();
  }

  /** While calls are under way the store hears of them, or it would give their places away. */
  renew(): void {
    if (this.inUse > 0 && this.ports.clock.now() - this.heardAt >= RENEW_MS) this.pump();
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
    // One that gave up meanwhile was granted a call all the same: saying anew what is in use gives it back.
    if (going.length < answer.granted) this.wake.abort();
    this.refuseLate(answer);
    if (this.waiting.length > 0 && answer.granted < wants.length) await this.pause(answer);
  }

  private take(wants: Waiting[]): Promise<CallShare> {
    this.heardAt = this.ports.clock.now();
    const { provider, limits, inUse } = this;
    const asked = { provider, limits, inUse, wants: wants.map((one) => one.tokens) };
    return this.ports.providers.takeShare({ ...asked, holder: this.ports.holder, leaseMs: LEASE_MS });
  }

  // Whoever cannot wait that long is told at once.
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

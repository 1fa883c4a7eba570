import type { ProviderLimits } from '@casefile/contracts';
import { ProcessShare, RENEW_MS, type ProcessSharePorts } from './process-share.js';

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

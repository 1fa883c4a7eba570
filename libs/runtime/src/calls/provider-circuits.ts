import type { CasefileError, Clock, Logger, ProviderState, Providers } from '@casefile/contracts';
import { isAccountFailure, isOutage } from './attempt-policy.js';

/** Times in milliseconds. */
export interface CircuitLimits {
  /** Failures in a row, over all workers, that open a circuit. */
  openAfter: number;
  openMs: number;
  /** For an exhausted quota or a bad key. */
  pauseMs: number;
  maxOpenMs: number;
  /** How long the one probe may take before another worker may try. */
  probeMs: number;
  /** How old the local copy may be. */
  refreshMs: number;
}

export interface CircuitPorts {
  providers: Providers;
  clock: Clock;
  log: Logger;
}

/** May a call go? Else in how many milliseconds it is worth asking again. */
export type Permission = { goes: true } | { goes: false; waitMs: number; reason: string | null };

interface Copy extends ProviderState {
  /** When one call may probe it, by the local clock. */
  probeAt: number;
}

/** Reasons to turn to another provider that say nothing against this one. */
const WELL: ReadonlySet<string> = new Set(['rate_limited', 'unknown_model']);

/** The circuits of providers as this process knows them: a copy that is refreshed while calls are made. */
export class ProviderCircuits {
  private copies = new Map<string, Copy>();
  private refreshedAt = -Infinity;
  private refreshing: Promise<void> | null = null;

  constructor(
    private readonly ports: CircuitPorts,
    private readonly limits: CircuitLimits,
  ) {}

  /** Asks leave for one call. Of an open circuit whose time is over, one call over all workers gets it. */
  async permit(provider: string): Promise<Permission> {
    await this.refresh();
    const copy = this.copies.get(provider);
    if (copy === undefined || copy.state === 'closed') return { goes: true };
    const waitMs = copy.probeAt - this.ports.clock.now();
    if (waitMs > 0) return { goes: false, waitMs, reason: copy.reason };
    if (await this.ports.providers.claimProbe(provider, this.limits.probeMs)) return { goes: true };
    this.refreshedAt = -Infinity;
    return { goes: false, waitMs: this.limits.refreshMs, reason: copy.reason };
  }

  /** A call was answered. */
  async succeeded(provider: string): Promise<void> {
    const copy = this.copies.get(provider);
    if (copy === undefined || (copy.state === 'closed' && copy.failures === 0)) return;
    await this.report(provider, () => this.ports.providers.succeeded(provider));
  }

  /**
   * A call failed. What is no outage does not count, nor does a rate limit or a model that the provider does not have: such a
   * provider is well.
   */
  async failed(provider: string, error: CasefileError): Promise<void> {
    if (!isOutage(error) || WELL.has(error.reasonCode)) return;
    const { openAfter, openMs, pauseMs, maxOpenMs } = this.limits;
    const account = isAccountFailure(error.reasonCode);
    const least = account ? pauseMs : openMs;
    await this.report(provider, () =>
      this.ports.providers.failed({
        provider,
        reasonCode: error.reasonCode,
        openAfter: account ? 1 : openAfter,
        openMs: Math.max(least, error.retryAfterMs ?? 0),
        maxOpenMs: Math.max(maxOpenMs, least),
      }),
    );
  }

  // What a call came to is not lost because its circuit could not be told of it.
  private async report(provider: string, tell: () => Promise<ProviderState>): Promise<void> {
    try {
      this.keep(await tell());
    } catch (error) {
      this.ports.log.warn({ error, provider }, 'the circuit of a provider could not be told of a call');
    }
  }

  private refresh(): Promise<void> {
    if (this.ports.clock.now() - this.refreshedAt < this.limits.refreshMs) return Promise.resolve();
    this.refreshing ??= this.readStates().finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  private async readStates(): Promise<void> {
    const states = await this.ports.providers.states();
    this.refreshedAt = this.ports.clock.now();
    for (const state of states) this.keep(state);
  }

  private keep(state: ProviderState): void {
    const before = this.copies.get(state.provider);
    this.copies.set(state.provider, { ...state, probeAt: this.ports.clock.now() + state.probeInMs });
    if ((before?.state ?? 'closed') === state.state) return;
    const { provider, reason, failures } = state;
    this.ports.log.warn(
      { provider, reason, failures, state: state.state },
      'the circuit of a provider changed',
    );
  }
}

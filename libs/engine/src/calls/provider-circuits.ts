import {
  reasonOf,
  type CasefileError,
  type Clock,
  type Logger,
  type ProviderState,
  type Providers,
  elapsedMs,
} from '@casefile/contracts';
import { isAccountFailure, isOutage } from './attempt-policy.js';

/** Times in milliseconds. */
export interface CircuitLimits {
  /** Consecutive failures, over all workers, that open a circuit. */
  openAfter: number;
  /**
   * Failed attempts of one call that open a circuit if no other call succeeded meanwhile; null: no limit. With few
   * alerts, the first call without an answer therefore reveals the outage.
   */
  usedUpAfter: number | null;
  openMs: number;
  /** Open time for an exhausted quota or a bad key. */
  pauseMs: number;
  maxOpenMs: number;
  /** Time that the single probe may take before another worker may probe. */
  probeMs: number;
  /** Maximum age of the local copy. */
  refreshMs: number;
}

export interface CircuitPorts {
  providers: Providers;
  clock: Clock;
  log: Logger;
}

/** Whether a call may be made, and otherwise in how many milliseconds to ask again. */
export type Permission = { goes: true } | { goes: false; waitMs: number; reason: string | null };

interface Copy extends ProviderState {
  /** Time at which one call may probe the provider, by the local clock. */
  probeAt: number;
}

/** Errors that lead to another provider but do not count as failures of this one. */
const WELL: ReadonlySet<string> = new Set(['rate_limited', 'unknown_model']);

/** Provider circuits as this process knows them: a copy that calls refresh. */
export class ProviderCircuits {
  private copies = new Map<string, Copy>();
  private refreshedAt = -Infinity;
  private refreshing: Promise<void> | null = null;

  constructor(
    private readonly ports: CircuitPorts,
    private readonly limits: CircuitLimits,
  ) {}

  /**
   * Requests permission for one call. After the open time, only one call over all workers is permitted as a
   * probe.
   */
  async permit(provider: string, mayProbe = true): Promise<Permission> {
    await this.refresh();
    const copy = this.copies.get(provider);
    if (copy === undefined || copy.state === 'closed') return { goes: true };
    const waitMs = copy.probeAt - this.ports.clock.now();
    if (waitMs > 0) return { goes: false, waitMs, reason: copy.reason };
    if (mayProbe && (await this.ports.providers.claimProbe(provider, this.limits.probeMs)))
      return { goes: true };
    this.refreshedAt = -Infinity;
    return { goes: false, waitMs: this.limits.refreshMs, reason: copy.reason };
  }

  /** Returns the circuits for calls that change no circuit: they do not probe, and are not counted. */
  uncounted(): Pick<ProviderCircuits, 'permit' | 'succeeded' | 'failed'> {
    const ignored = async () => undefined;
    return { permit: (provider) => this.permit(provider, false), succeeded: ignored, failed: ignored };
  }

  /** Records an answered call. */
  async succeeded(provider: string): Promise<void> {
    const copy = this.copies.get(provider);
    if (copy === undefined || (copy.state === 'closed' && copy.failures === 0)) return;
    await this.report(provider, () => this.ports.providers.succeeded(provider));
  }

  /**
   * Records a failed call. Only outages count. A rate limit or an unknown model does not count, because the
   * provider is healthy.
   * @param attempts Number of failed attempts of this call, with this one.
   */
  async failed(provider: string, error: CasefileError, attempts: number): Promise<void> {
    if (!isOutage(error) || WELL.has(error.reasonCode)) return;
    const { openAfter, usedUpAfter, openMs, pauseMs, maxOpenMs } = this.limits;
    // Unusable answers to one question are likely because of the question.
    const isUsedUp =
      usedUpAfter !== null && attempts >= usedUpAfter && reasonOf(error.reasonCode).of !== 'answer';
    const account = isAccountFailure(error.reasonCode);
    const least = account ? pauseMs : openMs;
    await this.report(provider, () =>
      this.ports.providers.failed({
        provider,
        reasonCode: error.reasonCode,
        openAfter: account ? 1 : isUsedUp ? Math.min(openAfter, usedUpAfter) : openAfter,
        openMs: Math.max(least, error.retryAfterMs ?? 0),
        maxOpenMs: Math.max(maxOpenMs, least),
      }),
    );
  }

  // A call keeps its result even if the circuit cannot be updated.
  private async report(provider: string, write: () => Promise<ProviderState>): Promise<void> {
    try {
      this.keep(await write());
    } catch (error) {
      this.ports.log.warn({ error, provider }, 'the circuit of a provider could not be updated after a call');
    }
  }

  private refresh(): Promise<void> {
    if (elapsedMs(this.ports.clock.now(), this.refreshedAt) < this.limits.refreshMs) return Promise.resolve();
    this.refreshing ??= this.readStates().finally(() => (this.refreshing = null));
    return this.refreshing;
  }

  private async readStates(): Promise<void> {
    const before = new Map(this.copies);
    const states = await this.ports.providers.states();
    this.refreshedAt = this.ports.clock.now();
    // A report that was answered in the meantime is newer.
    for (const state of states)
      if (this.copies.get(state.provider) === before.get(state.provider)) this.keep(state);
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

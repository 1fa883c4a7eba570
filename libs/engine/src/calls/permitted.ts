import { CasefileError, type Clock, type Standstill } from '@casefile/contracts';
import { wordShare } from './attempt-policy.js';
import type { Budgeted } from './budgeted.js';
import type { CallRecord } from './call-record.js';
import type { ModelCandidate } from './model-plan.js';
import type { Permission, ProviderCircuits } from './provider-circuits.js';
import type { ProviderLimiter } from './provider-limiter.js';
import type { RetryBudget } from './retry-budget.js';
import { callEnd, type Attempted, type StageCall } from './stage-call.js';

export interface PermittedPorts {
  circuits: Pick<ProviderCircuits, 'permit' | 'succeeded' | 'failed'>;
  limiter: Pick<ProviderLimiter, 'enter'>;
  retries: Pick<RetryBudget, 'earn'>;
  clock: Clock;
  standstill: Standstill;
}

/**
 * Shortest fair time for an answer, in milliseconds. A timeout after less time does not count as a failure of
 * the provider.
 */
const FAIR_MS = 2_000;

/** Steps that wait for one provider are retried spread over this time, in milliseconds. */
const SPREAD_MS = 5_000;

/** Calls a provider only while its circuit is closed and its limits have room, and reports how it went. */
export class Permitted {
  constructor(
    private readonly next: Pick<Budgeted, 'attempt'>,
    private readonly record: CallRecord,
    private readonly ports: PermittedPorts,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * @param made Attempts at this step with this provider so far. Only a first call earns a retry: while the circuit is
   * open, a step comes here many times without a call.
   * @throws CasefileError `timeout`, `circuit_open`, `rate_limited`, and those of the next link: no call was made.
   */
  async attempt(call: StageCall, way: ModelCandidate, made: number): Promise<Attempted> {
    const { circuits, retries, clock, standstill } = this.ports;
    const { provider } = way.model;
    const end = callEnd(call);
    if (end !== null && clock.now() >= end)
      throw new CasefileError('timeout', 'the time for this step is over');
    const leave = await call.waits.during(() => this.enter(call, way, end));
    try {
      if (made === 0) retries.earn(provider);
      const [started, mark] = [clock.now(), standstill.mark()];
      const outcome = await this.next.attempt(call, way);
      if ('response' in outcome) await circuits.succeeded(provider);
      else {
        // A process that stood still was late itself, whatever the error says. It asks again.
        const stoodMs = standstill.since(mark);
        call.waits.add(stoodMs);
        if (stoodMs === 0 && !this.wasHurried(outcome.error, started))
          await circuits.failed(provider, outcome.error, made + 1);
      }
      return outcome;
    } finally {
      leave();
    }
  }

  /**
   * Waits for permission, at most as long as the call may take.
   * @returns the function to call when the call is over. @throws CasefileError `circuit_open`, `rate_limited`.
   */
  private async enter(call: StageCall, way: ModelCandidate, until: number | null): Promise<() => void> {
    const { circuits, limiter } = this.ports;
    const { provider } = way.model;
    const permission = await circuits.permit(provider);
    if (!permission.goes) throw this.circuitOpen(call, provider, permission);
    const tokens = () => way.worstCase(call.request).tokens;
    return limiter.enter(provider, way.limits, { tokens, until, signal: this.signal });
  }

  // A call that starts late in its step's time may time out although the provider is healthy.
  private wasHurried({ reasonCode }: CasefileError, started: number): boolean {
    return reasonCode === 'timeout' && this.ports.clock.now() - started < FAIR_MS;
  }

  /**
   * Returns the error for a provider that is not called now. Each waiting step gets a different retry time, so
   * that the steps do not all return at the same moment.
   */
  private circuitOpen(
    { step }: StageCall,
    provider: string,
    { waitMs, reason }: Extract<Permission, { goes: false }>,
  ): CasefileError {
    const { seed } = this.record.drawOnce(null);
    const retryAfterMs = Math.ceil(waitMs + wordShare(`${seed}/${step}/circuit`) * SPREAD_MS);
    const message = `${provider} is not called for ${Math.ceil(waitMs / 1000)} s: ${reason ?? 'it failed'}`;
    return new CasefileError('circuit_open', message, { retryable: true, retryAfterMs });
  }
}

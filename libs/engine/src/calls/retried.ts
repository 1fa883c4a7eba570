import type { Clock, ModelResponse } from '@casefile/contracts';
import { afterAttempt, type AttemptLimits } from './attempt-policy.js';
import type { CallRecord } from './call-record.js';
import type { ModelCandidate } from './model-plan.js';
import type { Permitted } from './permitted.js';
import type { RetryBudget } from './retry-budget.js';
import { callEnd, type StageCall } from './stage-call.js';

export interface RetriedPorts {
  attempts: AttemptLimits;
  retries: Pick<RetryBudget, 'take'>;
  /** Ends early when `signal` is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  clock: Clock;
}

/** Asks one model again while its failures may pass, within the limits of the run and of the provider. */
export class Retried {
  constructor(
    private readonly next: Permitted,
    private readonly record: CallRecord,
    private readonly ports: RetriedPorts,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws CasefileError: the model's last error, or that of a later link, which is not tried again. */
  async answer(call: StageCall, way: ModelCandidate): Promise<ModelResponse> {
    const { provider } = way.model;
    const before = this.madeBefore(call, provider);
    for (;;) {
      const made = before + (call.made.get(provider) ?? 0);
      const outcome = await this.next.attempt(call, way, made);
      call.made.set(provider, (call.made.get(provider) ?? 0) + 1);
      // An answer is returned even if the worker was asked to stop meanwhile, because the call is paid for.
      if ('response' in outcome) return outcome.response;
      this.signal.throwIfAborted();
      const { seed } = this.record.drawOnce(null);
      const { step, request } = call;
      const isAskedAgain = request.answerSchema !== undefined;
      const failed = {
        error: outcome.error,
        attempts: made + 1,
        seed,
        step,
        deadlineAt: callEnd(call),
        isAskedAgain,
      };
      const next = afterAttempt({ ...failed, now: this.ports.clock.now() }, this.ports.attempts);
      if (next.kind === 'give-up' || !this.ports.retries.take(provider)) throw outcome.error;
      await this.ports.sleep(next.waitMs, this.signal);
      this.signal.throwIfAborted();
    }
  }

  /**
   * The count of attempts continues after a crash. For a run that waits for its provider, each wait resets
   * it.
   */
  private madeBefore(call: StageCall, provider: string): number {
    const attempts = this.record.madeBefore(call, provider);
    return this.record.work.settings.onOutage === 'later'
      ? attempts % this.ports.attempts.attempts
      : attempts;
  }
}

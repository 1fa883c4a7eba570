import {
  asCasefileError,
  CasefileError,
  reasonsFor,
  type Clock,
  type ModelRequest,
  type ModelResponse,
  type NewEvent,
  type ReasoningSwitch,
  type Telemetry,
} from '@casefile/contracts';
import { encourageReasoning, type ThoughtsText } from '@casefile/pipeline';
import { METRICS } from '@casefile/telemetry';
import { afterAttempt, isOutage, type AttemptLimits, wordShare, type RetryBudget } from './attempt-policy.js';
import type { ModelPlan, ModelCandidate } from './model-plan.js';
import type { ProviderCircuits, Permission } from './provider-circuits.js';
import type { ProviderLimiter } from './provider-limiter.js';

export interface PaidStepPorts {
  circuits: Pick<ProviderCircuits, 'permit' | 'succeeded' | 'failed'>;
  limiter: Pick<ProviderLimiter, 'enter'>;
  attempts: AttemptLimits;
  retries: Pick<RetryBudget, 'earn' | 'take'>;
  /** Ends early when `signal` is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  clock: Clock;
  telemetry: Telemetry;
}

/**
 * Shortest fair time for an answer, in milliseconds. A timeout after less time does not count as a failure of
 * the provider.
 */
const FAIR_MS = 2_000;

/** Question of one step of a stage. */
interface StepQuestion {
  step: number;
  request: ModelRequest;
  deadlineAt: number | null;
  /** Drawn once per stage. */
  seed: string;
  /** Reasoning setting of the run. Default: on. */
  reasoning?: ReasoningSwitch | undefined;
  /** Playbook text that asks a model to think aloud, for providers with `enableReasoning`. Default: none. */
  thinkAloud?: (() => ThoughtsText | undefined) | undefined;
  /** Recorded attempts with this provider that count. */
  madeBefore(provider: string): number;
  /** Adds an event to the trace. */
  tell(event: NewEvent): void;
}

/**
 * One recorded attempt: intent, call, result. Returns the model's answer or the model's error, and throws all
 * other errors.
 */
type Attempt = (
  way: ModelCandidate,
  request: ModelRequest,
  deadlineAt: number | null,
) => Promise<{ response: ModelResponse } | { error: CasefileError }>;

/** Gets the answer of one step: tries one provider repeatedly, then the next provider of the run's list. */
export class PaidStep {
  private readonly attemptCounts = new Map<string, number>();

  constructor(
    private readonly question: StepQuestion,
    private readonly attempt: Attempt,
    private readonly ports: PaidStepPorts,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws CasefileError: a LanguageModel code, `circuit_open`, `budget_exhausted`, `unknown_price`. */
  async answer(route: ModelPlan): Promise<{ response: ModelResponse; way: ModelCandidate }> {
    const failures: CasefileError[] = [];
    for (const [i, way] of route.ways.entries()) {
      if (i > 0) this.tellOfFallback(route.ways[i - 1]!, way, failures.at(-1)!);
      try {
        return { response: await this.by(way, this.deadlineOf(route.ways.length - i)), way };
      } catch (thrown) {
        this.signal.throwIfAborted();
        const error = asCasefileError(thrown);
        if (error.reasonCode === 'budget_exhausted') return this.cheaper(route, way, error);
        if (!isOutage(error)) throw error;
        failures.push(error);
      }
    }
    throw summedFailures(failures);
  }

  private async cheaper(route: ModelPlan, full: ModelCandidate, error: CasefileError) {
    this.tellOfBudget(full, error);
    const way = route.cheaper;
    if (way === null || way.model.model === full.model.model) throw error;
    try {
      return { response: await this.by(way, this.question.deadlineAt), way };
    } catch (thrown) {
      const again = asCasefileError(thrown);
      if (again.reasonCode === 'budget_exhausted') this.tellOfBudget(way, again);
      throw thrown;
    }
  }

  private async by(way: ModelCandidate, deadlineAt: number | null): Promise<ModelResponse> {
    for (;;) {
      const outcome = await this.once(way, deadlineAt);
      // An answer is returned even if the worker was asked to stop meanwhile, because the call is paid for.
      if ('response' in outcome) return outcome.response;
      this.signal.throwIfAborted();
      const { step, seed } = this.question;
      const attempts = this.madeWith(way);
      const at = { attempts, seed, step, now: this.ports.clock.now(), deadlineAt };
      const next = afterAttempt({ error: outcome.error, ...at }, this.ports.attempts);
      if (next.kind === 'give-up' || !this.ports.retries.take(way.model.provider)) throw outcome.error;
      await this.ports.sleep(next.waitMs, this.signal);
      this.signal.throwIfAborted();
    }
  }

  private async once(way: ModelCandidate, deadlineAt: number | null): ReturnType<Attempt> {
    const { provider } = way.model;
    if (deadlineAt !== null && this.ports.clock.now() >= deadlineAt) {
      throw new CasefileError('timeout', 'the time for this step is over');
    }
    const permission = await this.ports.circuits.permit(provider);
    const { step, seed } = this.question;
    if (!permission.goes) throw circuitOpen(provider, permission, `${seed}/${step}/circuit`);
    const request = this.requestFor(way);
    const leave = await this.ports.limiter.enter(provider, way.limits, {
      tokens: () => way.worstCase(request).tokens,
      until: deadlineAt,
      signal: this.signal,
    });
    try {
      // Earns a retry only when the first call is made. While the circuit is open, a step comes here many
      // times without a call.
      if (this.madeWith(way) === 0) this.ports.retries.earn(provider);
      const started = this.ports.clock.now();
      const outcome = await this.attempt(way, request, deadlineAt);
      this.attemptCounts.set(provider, (this.attemptCounts.get(provider) ?? 0) + 1);
      if ('response' in outcome) await this.ports.circuits.succeeded(provider);
      else if (!this.wasHurried(outcome.error, started)) {
        await this.ports.circuits.failed(provider, outcome.error);
      }
      return outcome;
    } finally {
      leave();
    }
  }

  // Both the run and the provider's entry can switch reasoning off, per kind of prompt.
  private requestFor(way: ModelCandidate): ModelRequest {
    const { request, reasoning, thinkAloud } = this.question;
    if (!reasonsFor(reasoning, request.kind) || !reasonsFor(way.reasoning, request.kind))
      return { ...request, reasoning: false };
    const aloud = way.enableReasoning ? thinkAloud?.() : undefined;
    return aloud === undefined ? request : encourageReasoning(request, aloud);
  }

  // A call that starts late in its step's time may time out although the provider is healthy.
  private wasHurried({ reasonCode }: CasefileError, started: number): boolean {
    return reasonCode === 'timeout' && this.ports.clock.now() - started < FAIR_MS;
  }

  private madeWith({ model }: ModelCandidate): number {
    return this.question.madeBefore(model.provider) + (this.attemptCounts.get(model.provider) ?? 0);
  }

  // The remaining time is divided among all models that may still be asked, so that a hanging provider cannot
  // use all of it.
  private deadlineOf(waysLeft: number): number | null {
    const { deadlineAt } = this.question;
    if (deadlineAt === null || waysLeft === 1) return deadlineAt;
    const now = this.ports.clock.now();
    return now + (deadlineAt - now) / waysLeft;
  }

  private tellOfFallback(from: ModelCandidate, to: ModelCandidate, why: CasefileError): void {
    this.question.tell(fallbackEvent(this.question.step, from, to, why));
    const labels = { from: from.model.provider, to: to.model.provider };
    this.ports.telemetry.count(METRICS.providerFallback, labels);
  }

  private tellOfBudget(way: ModelCandidate, why: CasefileError): void {
    this.question.tell(budgetEvent(this.question.step, way, why));
    const scope = String(why.details['key']).split(':')[0] ?? '';
    this.ports.telemetry.count(METRICS.budgetRefused, { scope });
  }
}

/** Steps that wait for one provider are retried spread over this time, in milliseconds. */
const SPREAD_MS = 5_000;

/** Returns the trace event of asking the next provider of the list. */
function fallbackEvent(step: number, from: ModelCandidate, to: ModelCandidate, why: CasefileError): NewEvent {
  const data = { step, from: from.model.provider, to: to.model.provider, reasonCode: why.reasonCode };
  return { type: 'provider.fallback', data };
}

/** Returns the trace event of a budget without room for a model. */
function budgetEvent(step: number, { model }: ModelCandidate, { details }: CasefileError): NewEvent {
  const { key, window } = details;
  return {
    type: 'budget.exhausted',
    data: { step, model: model.model, key: String(key), window: String(window) },
  };
}

/**
 * Returns the error for a provider that is not called now. Each waiting step gets a different retry time, so
 * that the steps do not all return at the same moment.
 * @param words text that determines the step's retry time
 */
function circuitOpen(
  provider: string,
  { waitMs, reason }: Extract<Permission, { goes: false }>,
  words: string,
): CasefileError {
  const retryAfterMs = Math.ceil(waitMs + wordShare(words) * SPREAD_MS);
  const message = `${provider} is not called for ${Math.ceil(waitMs / 1000)} s: ${reason ?? 'it failed'}`;
  return new CasefileError('circuit_open', message, { retryable: true, retryAfterMs });
}

/** Combines several outages: the first error's message, with the shortest wait of all. */
function summedFailures(failures: CasefileError[]): CasefileError {
  const [first] = failures;
  if (first === undefined) return new CasefileError('no_provider', 'no language model is configured');
  const waits = failures.flatMap(({ retryAfterMs }) => (retryAfterMs === undefined ? [] : [retryAfterMs]));
  if (failures.length === 1 || waits.length === 0) return first;
  const { reasonCode, message, retryable, details } = first;
  const retryAfterMs = Math.min(...waits);
  return new CasefileError(reasonCode, message, { retryable, retryAfterMs, details, cause: first });
}

import {
  asCasefileError,
  CasefileError,
  reasonsFor,
  type Clock,
  type ModelRequest,
  type ModelResponse,
  type Telemetry,
} from '@casefile/contracts';
import { encourageReasoning, type ThoughtsText } from '@casefile/pipeline';
import { METRICS } from '@casefile/telemetry';
import { isOutage } from './attempt-policy.js';
import type { CallRecord } from './call-record.js';
import type { ModelCandidate, ModelPlan } from './model-plan.js';
import type { Retried } from './retried.js';
import { callEnd, type StageCall } from './stage-call.js';

export interface RoutedPorts {
  clock: Clock;
  telemetry: Telemetry;
  /** Text of the run's playbook that asks a model to think aloud. Default: none. */
  thinkAloud?: () => ThoughtsText | undefined;
}

/** Asks the models of a run's plan in their order, and the cheaper one if a budget has no room for the first. */
export class Routed {
  constructor(
    private readonly next: Retried,
    private readonly record: CallRecord,
    private readonly ports: RoutedPorts,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws CasefileError: a LanguageModel code, `circuit_open`, `budget_exhausted`, `unknown_price`. */
  async answer(call: StageCall, plan: ModelPlan): Promise<{ response: ModelResponse; way: ModelCandidate }> {
    const failures: CasefileError[] = [];
    for (const [i, way] of plan.ways.entries()) {
      if (i > 0) this.tellOfFallback(call, plan.ways[i - 1]!, way, failures.at(-1)!);
      try {
        const deadlineAt = this.deadlineOf(call, plan.ways.length - i);
        return { response: await this.by(way, { ...call, deadlineAt }), way };
      } catch (thrown) {
        this.signal.throwIfAborted();
        const error = asCasefileError(thrown);
        if (error.reasonCode === 'budget_exhausted') return this.cheaper(call, plan, way, error);
        if (!isOutage(error)) throw error;
        failures.push(error);
      }
    }
    throw summedFailures(failures);
  }

  private async cheaper(call: StageCall, plan: ModelPlan, full: ModelCandidate, error: CasefileError) {
    this.tellOfBudget(call, full, error);
    const way = plan.cheaper;
    if (way === null || way.model.model === full.model.model) throw error;
    try {
      return { response: await this.by(way, call), way };
    } catch (thrown) {
      const again = asCasefileError(thrown);
      if (again.reasonCode === 'budget_exhausted') this.tellOfBudget(call, way, again);
      throw thrown;
    }
  }

  private by(way: ModelCandidate, call: StageCall): Promise<ModelResponse> {
    return this.next.answer({ ...call, request: this.requestFor(call.request, way) }, way);
  }

  // Both the run and the provider's entry can switch reasoning off, per kind of prompt.
  private requestFor(request: ModelRequest, way: ModelCandidate): ModelRequest {
    const { reasoning } = this.record.work.settings;
    if (!reasonsFor(reasoning, request.kind) || !reasonsFor(way.reasoning, request.kind))
      return { ...request, reasoning: false };
    const aloud = way.enableReasoning ? this.ports.thinkAloud?.() : undefined;
    return aloud === undefined ? request : encourageReasoning(request, aloud);
  }

  // The remaining time is divided among all models that may still be asked, so that a hanging provider cannot
  // use all of it.
  private deadlineOf(call: StageCall, waysLeft: number): number | null {
    const end = callEnd(call);
    if (end === null || waysLeft === 1) return call.deadlineAt;
    const now = this.ports.clock.now();
    return now + (end - now) / waysLeft - call.waits.ms;
  }

  private tellOfFallback({ step }: StageCall, from: ModelCandidate, to: ModelCandidate, why: CasefileError) {
    const labels = { from: from.model.provider, to: to.model.provider };
    this.record.tell('provider.fallback', { step, ...labels, reasonCode: why.reasonCode });
    this.ports.telemetry.count(METRICS.providerFallback, labels);
  }

  private tellOfBudget({ step }: StageCall, { model }: ModelCandidate, { details }: CasefileError): void {
    const [key, window] = [String(details['key']), String(details['window'])];
    this.record.tell('budget.exhausted', { step, model: model.model, key, window });
    this.ports.telemetry.count(METRICS.budgetRefused, { scope: key.split(':')[0] ?? '' });
  }
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

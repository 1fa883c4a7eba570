import {
  asCasefileError,
  CasefileError,
  isWorkerError,
  type Logger,
  type ModelRequest,
  type ModelResponse,
  reasonCodeOf,
} from '@casefile/contracts';
import type { StepModel } from '@casefile/pipeline';
import { attemptsFor, type AttemptLimits } from './attempt-policy.js';
import { Budgeted, type BudgetedPorts } from './budgeted.js';
import { hasBudgets } from './budget-plan.js';
import { CallRecord, type CallRecordPorts } from './call-record.js';
import { interactionResponse, requestHash } from './interaction-record.js';
import { routeAt, type ModelPlan } from './model-plan.js';
import { Paid, type PaidPorts } from './paid.js';
import { Permitted, type PermittedPorts } from './permitted.js';
import { Retried, type RetriedPorts } from './retried.js';
import { Routed, type RoutedPorts } from './routed.js';
import type { JournaledWork, StageCall } from './stage-call.js';

/** Ports and limits shared by all model calls of a process. */
export interface SharedCalls
  extends
    Pick<PermittedPorts, 'circuits' | 'limiter' | 'standstill'>,
    Pick<RetriedPorts, 'sleep'>,
    Pick<BudgetedPorts, 'budgets' | 'batchBudget'> {
  attempts: AttemptLimits;
  retries: PermittedPorts['retries'] & RetriedPorts['retries'];
  /**
   * Circuits and retries of shadow runs, so that their failures do not affect live runs. Default: the shared
   * ones.
   */
  ofShadow?: Pick<SharedCalls, 'circuits' | 'retries'>;
}

export interface JournalPorts
  extends CallRecordPorts, Pick<RoutedPorts, 'telemetry' | 'thinkAloud'>, Pick<PaidPorts, 'intend'> {
  log: Logger;
  calls: SharedCalls;
  /** null: the run has no model. */
  route: ModelPlan | null;
}

/**
 * Calls the model for one stage or one tool call, and records each call. The intent is written before the call, and
 * the result with the next write. If the answer of a step is recorded, it is reused and not paid for again.
 */
export class Journal extends CallRecord implements StepModel {
  /** Created for the first call, because most stages make none. */
  private chain: Routed | null = null;

  constructor(
    work: JournaledWork,
    private readonly ports: JournalPorts,
    private readonly signal: AbortSignal,
  ) {
    super(work, ports);
  }

  get available(): boolean {
    return this.ports.route !== null;
  }

  recorded(step: number): boolean {
    return this.interactionsOf(step).some(({ state }) => state === 'completed');
  }

  async call(step: number, request: ModelRequest, deadlineAt: number | null): Promise<ModelResponse> {
    const { route } = this.ports;
    this.stepsCalled.add(step);
    const waits = this.waits.ofCall(deadlineAt);
    const call = { step, hash: requestHash(request), request, deadlineAt, waits, made: new Map() };
    const recorded = this.fromRecord(call);
    if (recorded !== null) return recorded;
    if (route === null) throw new CasefileError('no_provider', 'no language model is configured');
    this.signal.throwIfAborted();
    this.chain ??= this.newChain();
    try {
      const { response, way } = await this.chain.answer(call, routeAt(route, request));
      this.remark(way.route);
      return response;
    } catch (thrown) {
      this.tellOfRefusal(call, thrown);
      throw thrown;
    }
  }

  private newChain(): Routed {
    const { calls, ...ports } = this.ports;
    const attempts = attemptsFor(calls.attempts, this.work.settings);
    const paid = new Paid(this, ports, this.signal);
    const isLimited = hasBudgets(calls.budgets) || this.work.settings.batch !== undefined;
    const charged = isLimited ? new Budgeted(paid, this, { ...calls, ...ports }) : paid;
    const permitted = new Permitted(charged, this, { ...calls, ...ports }, this.signal);
    const retried = new Retried(permitted, this, { ...calls, ...ports, attempts }, this.signal);
    return new Routed(retried, this, ports, this.signal);
  }

  private fromRecord({ step, hash }: StageCall): ModelResponse | null {
    const last = this.interactionsOf(step).at(-1);
    if (last === undefined || last.state === 'ambiguous' || last.state === 'pending') return null;
    if (last.requestHash !== hash) {
      this.ports.log.warn({ step }, 'the request differs from the recorded one, asking again');
      this.tell('interaction.diverged', { step, recorded: last.requestHash, now: hash });
      return null;
    }
    // A run that waits for its provider calls again. A run that falls back uses the recorded failure.
    if (last.state === 'failed' && this.work.settings.onOutage === 'later') return null;
    this.replayed += 1;
    if (last.state === 'failed')
      throw new CasefileError(reasonCodeOf(last.errorCode), `recorded failure of step ${step}`);
    this.remark(last.route ?? 'first');
    return interactionResponse(last);
  }

  // Records refusals that make no attempt (open circuit, budget, expired deadline), so that the trace shows
  // them.
  private tellOfRefusal({ step, hash: requestHash }: StageCall, thrown: unknown): void {
    const { reasonCode, message } = asCasefileError(thrown);
    if (this.signal.aborted || isWorkerError(thrown) || this.lastError(step) === reasonCode) return;
    this.tell('interaction.refused', { step, requestHash, reasonCode, message });
  }
}

import {
  asCasefileError,
  CasefileError,
  isWorkerError,
  type Draw,
  type Interaction,
  type InteractionResult,
  type InteractionRoute,
  type JsonObject,
  type ModelRequest,
  type ModelResponse,
  type NewEvent,
  reasonCodeOf,
} from '@casefile/contracts';
import type { StepModel, ThoughtsText } from '@casefile/pipeline';
import { attemptsFor, type AttemptLimits } from './attempt-policy.js';
import { routeAt, type ModelPlan, type ModelCandidate } from './model-plan.js';
import { interactionResponse, requestHash } from './interaction-record.js';
import { PaidAttempts, type PaidAttemptPorts, type JournaledWork } from './paid-attempts.js';
import { PaidStep, type PaidStepPorts } from './paid-step.js';

/** Ports and limits shared by all model calls of a process. */
export interface SharedCalls
  extends Omit<PaidStepPorts, 'clock' | 'telemetry'>, Pick<PaidAttemptPorts, 'budgets' | 'batchBudget'> {
  /**
   * Circuits and retries of shadow runs, so that their failures do not affect live runs. Default: the shared
   * ones.
   */
  ofShadow?: Pick<PaidStepPorts, 'circuits' | 'retries'>;
}

export interface JournalPorts
  extends Pick<PaidStepPorts, 'telemetry'>, Pick<PaidAttemptPorts, 'intend' | 'clock' | 'ids' | 'log'> {
  calls: SharedCalls;
  /** null: the run has no model. */
  route: ModelPlan | null;
  /** Longest time without a worker by which a deadline is extended, in milliseconds. Default: 0. */
  deadlinePauseMs?: number;
  /** Id of the set of texts that the prompts are rendered from. Default: not recorded. */
  promptSet?: string | undefined;
  /** Text of the run's playbook that makes the model think aloud. Default: none. */
  thinkAloud?: () => ThoughtsText | undefined;
}

/**
 * Remarks for answers that did not come from the intended model. They are added to what the stage appends.
 */
const REMARKS: Partial<Record<InteractionRoute, string>> = {
  fallback: 'fallback_provider',
  cheaper: 'cheaper_model',
};

/**
 * Calls the model for one stage or one tool call, and records each call. The intent is written before the call, and
 * the result with the next write. If the answer of a step is recorded, it is reused and not paid for again.
 */
export class Journal implements StepModel {
  readonly events: NewEvent[] = [];
  readonly remarks = new Set<string>();
  /** Number of steps whose recorded answer was reused. */
  replayed = 0;
  /** Steps that the stage has reached, whether their answers were bought or read from the record. */
  readonly stepsCalled = new Set<number>();
  private drawn: Draw | null;
  private readonly startedAt: number;
  /** Created for the first call, because most stages make none. */
  private paid: PaidAttempts | null = null;

  constructor(
    private readonly work: JournaledWork,
    private readonly ports: JournalPorts,
    private readonly signal: AbortSignal,
  ) {
    this.drawn = work.interactions[0]?.draw ?? null;
    this.startedAt = ports.clock.now();
  }

  private get limits(): AttemptLimits {
    return attemptsFor(this.ports.calls.attempts, this.work.settings);
  }

  private attempts(): PaidAttempts {
    const { promptSet: prompts, intend, clock, ids, log, calls } = this.ports;
    // Each attempt records the prompt texts that it was rendered from, because after a crash the installed
    // texts may have changed.
    const draw = () => ({ ...this.drawOnce(null), ...(prompts === undefined ? {} : { prompts }) });
    this.paid ??= new PaidAttempts(this.work, { ...calls, intend, clock, ids, log, draw }, this.signal);
    return this.paid;
  }

  get available(): boolean {
    return this.ports.route !== null;
  }

  recorded(step: number): boolean {
    return this.work.interactions.some((one) => one.step === step && one.state === 'completed');
  }

  /** Returns whether the record has any interaction of this step. */
  hasInteraction(step: number): boolean {
    return this.work.interactions.some((one) => one.step === step);
  }

  /**
   * Returns the recorded draw. Its deadline is extended by the time in which no worker held the step.
   */
  draw(deadlineMs: number | null): Draw {
    const drawn = this.drawOnce(deadlineMs);
    if (drawn.deadlineAt === null) return drawn;
    // The deadline of a case of a batch starts with the work, because the case may have waited for its budget
    // and no sender waits for the answer.
    if (this.work.settings.batch !== undefined && deadlineMs !== null)
      return { ...drawn, deadlineAt: this.startedAt + deadlineMs };
    const since = (this.work.pausedMs ?? 0) - (drawn.pausedMs ?? 0);
    return { ...drawn, deadlineAt: drawn.deadlineAt + Math.min(since, this.ports.deadlinePauseMs ?? 0) };
  }

  private drawOnce(deadlineMs: number | null): Draw {
    const { pausedMs = 0 } = this.work;
    this.drawn ??= {
      seed: this.work.seed ?? this.ports.ids.token(16),
      deadlineAt: deadlineMs === null ? null : this.ports.clock.now() + deadlineMs,
      ...(pausedMs > 0 ? { pausedMs } : {}),
    };
    return this.drawn;
  }

  async call(step: number, request: ModelRequest, deadlineAt: number | null): Promise<ModelResponse> {
    const { route } = this.ports;
    this.stepsCalled.add(step);
    const hash = requestHash(request);
    const before = this.work.interactions.filter((interaction) => interaction.step === step);
    const recorded = this.fromRecord(step, hash, before);
    if (recorded !== null) return recorded;
    if (route === null) throw new CasefileError('no_provider', 'no language model is configured');
    this.signal.throwIfAborted();
    const question = {
      step,
      request,
      deadlineAt,
      seed: this.drawOnce(null).seed,
      reasoning: this.work.settings.reasoning,
      thinkAloud: this.ports.thinkAloud,
      madeBefore: (provider: string) => this.madeBefore(before, hash, provider),
      tell: ({ type, data }: NewEvent) => this.tell(type, data),
    };
    const attempt = (way: ModelCandidate, sent: ModelRequest, until: number | null) =>
      this.attempts().make(way, { step, hash, request: sent }, until);
    const { calls, clock, telemetry } = this.ports;
    const ports = { ...calls, clock, telemetry, attempts: this.limits };
    const paidStep = new PaidStep(question, attempt, ports, this.signal);
    const { response, way } = await paidStep
      .answer(routeAt(route, request.level))
      .catch((thrown: unknown) => {
        this.tellOfRefusal(step, hash, thrown);
        throw thrown;
      });
    this.remark(way.route);
    return response;
  }

  // Records refusals that make no attempt (open circuit, budget, expired deadline), so that the trace shows
  // them.
  private tellOfRefusal(step: number, hash: string, thrown: unknown): void {
    const { reasonCode, message } = asCasefileError(thrown);
    if (this.signal.aborted || isWorkerError(thrown) || this.paid?.lastError(step) === reasonCode) return;
    this.tell('interaction.refused', { step, requestHash: hash, reasonCode, message });
  }

  /** Adds an event of the stage, or of the tool call, to the trace. */
  tell(type: string, data: JsonObject): void {
    const { key, toolCallId } = this.work;
    const { stage, round, unit } = key;
    const place = { stage, round, unit, ...(toolCallId === undefined ? {} : { toolCallId }) };
    this.events.push({ type, data: { ...place, ...data } });
  }

  /** Returns the results that are not recorded yet. */
  takeResults(): InteractionResult[] {
    return this.paid?.takeResults() ?? [];
  }

  private fromRecord(step: number, hash: string, before: Interaction[]): ModelResponse | null {
    const last = before.at(-1);
    if (last === undefined || last.state === 'ambiguous' || last.state === 'pending') return null;
    if (last.requestHash !== hash) {
      this.ports.log.warn({ step }, 'the request differs from the recorded one, asking again');
      this.tell('interaction.diverged', { step, recorded: last.requestHash, now: hash });
      return null;
    }
    // A run that waits for its provider calls again. A run that falls back uses the recorded failure.
    if (last.state === 'failed' && this.work.settings.onOutage === 'later') return null;
    this.replayed += 1;
    if (last.state === 'failed') {
      throw new CasefileError(reasonCodeOf(last.errorCode), `recorded failure of step ${step}`);
    }
    this.remark(last.route ?? 'first');
    return interactionResponse(last);
  }

  /** Notes that an answer did not come from the run's own model. */
  remark(route: InteractionRoute): void {
    const remark = REMARKS[route];
    if (remark !== undefined) this.remarks.add(remark);
  }

  /**
   * The count of attempts continues after a crash. For a run that waits for its provider, each wait resets
   * it.
   */
  private madeBefore(before: Interaction[], hash: string, provider: string): number {
    const attempts = before.filter((one) => one.requestHash === hash && one.provider === provider).length;
    return this.work.settings.onOutage === 'later' ? attempts % this.limits.attempts : attempts;
  }
}

import {
  asCasefileError,
  CasefileError,
  withTimeout,
  type Clock,
  type Draw,
  type Ids,
  type IntentRequest,
  type Interaction,
  type InteractionResult,
  type JsonObject,
  type Lane,
  type Logger,
  type ModelRequest,
  type ModelResponse,
  type Reservation,
  type RunSettings,
  type StageKey,
} from '@casefile/contracts';
import type { BudgetSettings } from '../config/budget-settings.js';
import { resultCharge, settingReservations, type Spender } from './budget-plan.js';
import type { ModelCandidate } from './model-plan.js';
import { recordOfFailure, recordOfResponse } from './interaction-record.js';
import { staleLease } from '../leases/lease-keeper.js';

/** Work whose model calls are recorded: a stage, or one of its tool calls. */
export interface JournaledWork {
  key: StageKey;
  /** Tool call that makes the model call. Default: the stage itself. */
  toolCallId?: string;
  caseId: string;
  lane: Lane;
  settings: RunSettings;
  /** Recorded interactions, by step and attempt. */
  interactions: readonly Interaction[];
  /** Total time without a worker, in milliseconds. Default: 0. */
  pausedMs?: number;
  /** Seed for the first draw. Default: a random one. */
  seed?: string | undefined;
}

/** A model call before it is made. The writer adds the lease. */
export type Intent = Pick<IntentRequest, 'results' | 'interaction' | 'reservations'>;

export interface PaidAttemptPorts {
  /** Writes the intent before the call. false: another worker has claimed the lease meanwhile. */
  intend(intent: Intent): Promise<boolean>;
  budgets: BudgetSettings;
  /** Returns a batch's current limit in US dollars; null: no limit. Default: there are no batches. */
  batchBudget?: (batchId: string) => Promise<number | null>;
  clock: Clock;
  ids: Ids;
  log: Logger;
  draw(): Draw;
}

/**
 * Attempts of one piece of work. Each is recorded: the intent with its reservations, then the call and its
 * result.
 */
export class PaidAttempts {
  /** Results that are not recorded yet. The next write includes them. */
  private unwritten: InteractionResult[] = [];
  /** Number of the last attempt of each step. */
  private readonly attempts = new Map<number, number>();
  /** Error code of the last attempt of each step in this process; null: it succeeded. */
  private readonly errors = new Map<number, string | null>();

  constructor(
    private readonly work: JournaledWork,
    private readonly ports: PaidAttemptPorts,
    private readonly signal: AbortSignal,
  ) {
    for (const { step, attempt } of work.interactions) {
      this.attempts.set(step, Math.max(attempt, this.attempts.get(step) ?? 0));
    }
  }

  /** Returns the results that are not recorded yet. */
  takeResults(): InteractionResult[] {
    const results = this.unwritten;
    this.unwritten = [];
    return results;
  }

  /**
   * Returns the error code of the last attempt at a step in this process; null: no attempt, or it succeeded.
   */
  lastError(step: number): string | null {
    return this.errors.get(step) ?? null;
  }

  /** @throws CasefileError `stale_lease`, `budget_exhausted`, `unknown_price`: no call was made. */
  async make(
    way: ModelCandidate,
    question: { step: number; hash: string; request: ModelRequest },
    deadlineAt: number | null,
  ): Promise<{ response: ModelResponse } | { error: CasefileError }> {
    const attempt = (this.attempts.get(question.step) ?? 0) + 1;
    const reservations = this.reservations(way, question.request, await this.batch());
    const id = await this.intend(way, { ...question, attempt }, reservations).catch(namingTheBatch);
    this.attempts.set(question.step, attempt);
    const outcome = await this.pay(way, question.request, { id, step: question.step, attempt }, deadlineAt);
    const { result, ...reply } = outcome;
    this.errors.set(question.step, 'error' in reply ? reply.error.reasonCode : null);
    this.unwritten.push(
      reservations.length > 0 ? this.charged(result, question.request, reservations) : result,
    );
    return reply;
  }

  private charged(
    result: InteractionResult,
    request: ModelRequest,
    reservations: Reservation[],
  ): InteractionResult {
    const charge = resultCharge(result, request);
    const above = reservations.find(({ measure, amount }) => (charge[measure] ?? 0) > amount);
    if (above !== undefined) {
      const { provider, model } = result;
      const facts = { provider, model, key: above.key, reserved: above.amount, came: charge[above.measure] };
      this.ports.log.warn(
        facts,
        'a call cost more than its worst case: its price or token estimate is wrong',
      );
    }
    return { ...result, charge };
  }

  // Reads the current limit, because it may have been raised since the run was frozen.
  private async batch(): Promise<Spender['batch']> {
    const { batch: id } = this.work.settings;
    const usd = id === undefined ? null : ((await this.ports.batchBudget?.(id)) ?? null);
    return id === undefined || usd === null ? undefined : { id, usd };
  }

  private reservations(way: ModelCandidate, request: ModelRequest, batch: Spender['batch']): Reservation[] {
    const { caseId, lane, settings } = this.work;
    const own = batch === undefined ? {} : { batch };
    const spender = { caseId, lane, playbook: settings.playbook, ...own };
    const worst = () => way.worstCase(request);
    const reservations = settingReservations(this.ports.budgets, spender, worst, this.ports.clock.now());
    if (reservations !== null) return reservations;
    const { provider, model } = way.model;
    throw new CasefileError(
      'unknown_price',
      `a budget counts money, and the price of ${provider}/${model} is not known`,
    );
  }

  private async intend(
    way: ModelCandidate,
    question: { step: number; attempt: number; hash: string; request: ModelRequest },
    reservations: Reservation[],
  ): Promise<string> {
    const { step, attempt, hash, request } = question;
    const id = this.ports.ids.id();
    const isLeaseHeld = await this.ports.intend({
      results: this.takeResults(),
      interaction: {
        id,
        step,
        attempt,
        requestHash: hash,
        route: way.route,
        provider: way.model.provider,
        model: way.model.model,
        promptId: request.promptId,
        request: request as unknown as JsonObject,
        draw: this.ports.draw(),
      },
      ...(reservations.length > 0 ? { reservations } : {}),
    });
    if (!isLeaseHeld) throw staleLease();
    return id;
  }

  private async pay(
    { model }: ModelCandidate,
    request: ModelRequest,
    at: { id: string; step: number; attempt: number },
    deadlineAt: number | null,
  ): Promise<{ result: InteractionResult } & ({ response: ModelResponse } | { error: CasefileError })> {
    const { clock } = this.ports;
    const { key, toolCallId } = this.work;
    const { runId, unit, stage, round } = key;
    const own = toolCallId === undefined ? [] : [toolCallId];
    const callKey = [runId, unit, stage, round, ...own, at.step, at.attempt].join('/');
    const started = clock.now();
    try {
      const response = await withTimeout(
        deadlineAt === null ? null : deadlineAt - started,
        this.signal,
        (signal) => model.complete(request, { signal, callKey }),
        { retryable: false },
      );
      // The record keeps the answer itself. A log has no guard, so it gets sizes only.
      const { content, toolCalls, finishReason } = response;
      const sizes = { characters: content.length, toolCalls: toolCalls.length };
      const facts = { callKey, promptId: request.promptId, ...sizes, finishReason };
      this.ports.log.debug(facts, 'a model answered');
      return { response, result: recordOfResponse(at.id, response, clock.now() - started) };
    } catch (thrown) {
      // A call that a stop interrupted stays pending, and the next claim marks it ambiguous.
      this.signal.throwIfAborted();
      const error = asCasefileError(thrown);
      return { error, result: recordOfFailure(at.id, model, error, clock.now() - started) };
    }
  }
}

// A batch's budget has no fallback: the run waits until a person raises the budget or drops the batch.
function namingTheBatch(thrown: unknown): never {
  const { reasonCode, message, details } = asCasefileError(thrown);
  if (reasonCode !== 'budget_exhausted' || !String(details['key']).startsWith('batch:')) throw thrown;
  throw new CasefileError('batch_budget', message);
}

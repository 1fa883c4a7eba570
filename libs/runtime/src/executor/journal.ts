import {
  asCasefileError,
  CasefileError,
  type CaseStore,
  type ClaimedWork,
  type Draw,
  type Ids,
  type Interaction,
  type InteractionResult,
  type InteractionRoute,
  type JsonObject,
  type Logger,
  type ModelRequest,
  type ModelResponse,
  type NewEvent,
  type Reservation,
} from '@casefile/contracts';
import type { StepModel } from '@casefile/pipeline';
import type { BudgetSettings } from '../config/budget-settings.js';
import { chargeOf, reservationsOf } from '../models/budget-plan.js';
import type { ModelRoute, ModelWay } from '../models/paid-model.js';
import { recordOfFailure, recordOfResponse, responseOf } from './interaction-record.js';
import { staleLease } from './lease-keeper.js';
import { PaidStep, type PaidStepPorts } from './paid-step.js';
import { requestHash } from './request-hash.js';
import { withDeadline } from './with-deadline.js';

export interface JournalPorts extends PaidStepPorts {
  store: Pick<CaseStore, 'intend'>;
  /** null: the run goes without a model. */
  route: ModelRoute | null;
  budgets: BudgetSettings;
  ids: Ids;
  log: Logger;
}

/** How an answer came about otherwise than meant; goes with what the stage appends. */
const REMARKS: Partial<Record<InteractionRoute, string>> = {
  fallback: 'fallback_provider',
  cheaper: 'cheaper_model',
};

/**
 * The model of one stage, on the record: the intent is written before a call, its result with whatever the stage
 * writes next. A step whose answer is on the record is read, never paid again.
 */
export class Journal implements StepModel {
  /** Results that are not on the record yet; the next write takes them along. */
  private unwritten: InteractionResult[] = [];
  readonly events: NewEvent[] = [];
  readonly remarks = new Set<string>();
  /** Steps answered from the record. */
  replayed = 0;
  private drawn: Draw | null;
  /** The last attempt of each step. */
  private readonly attempts = new Map<number, number>();

  constructor(
    private readonly work: ClaimedWork,
    private readonly ports: JournalPorts,
    private readonly signal: AbortSignal,
  ) {
    this.drawn = work.interactions[0]?.draw ?? null;
    for (const { step, attempt } of work.interactions) {
      this.attempts.set(step, Math.max(attempt, this.attempts.get(step) ?? 0));
    }
  }

  get available(): boolean {
    return this.ports.route !== null;
  }

  draw(deadlineMs: number | null): Draw {
    this.drawn ??= {
      seed: this.ports.ids.token(16),
      deadlineAt: deadlineMs === null ? null : this.ports.clock.now() + deadlineMs,
    };
    return this.drawn;
  }

  async call(step: number, request: ModelRequest, deadlineAt: number | null): Promise<ModelResponse> {
    const { route } = this.ports;
    const hash = requestHash(request);
    const before = this.work.interactions.filter((interaction) => interaction.step === step);
    const recorded = this.fromRecord(step, hash, before);
    if (recorded !== null) return recorded;
    if (route === null) throw new CasefileError('no_provider', 'no language model is configured');
    this.signal.throwIfAborted();
    const question = {
      ...{ step, request, deadlineAt, seed: this.draw(null).seed },
      madeBefore: (provider: string) => this.madeBefore(before, hash, provider),
      tell: (event: NewEvent) => void this.events.push(event),
    };
    const attempt = (way: ModelWay, sent: ModelRequest, until: number | null) =>
      this.attempt(way, { step, hash, request: sent }, until);
    const { response, way } = await new PaidStep(question, attempt, this.ports, this.signal).answer(route);
    this.remark(way.route);
    return response;
  }

  /** Hands over the results that are not on the record yet. */
  takeResults(): InteractionResult[] {
    const results = this.unwritten;
    this.unwritten = [];
    return results;
  }

  private fromRecord(step: number, hash: string, before: Interaction[]): ModelResponse | null {
    const last = before.at(-1);
    if (last === undefined || last.state === 'ambiguous' || last.state === 'pending') return null;
    if (last.requestHash !== hash) {
      this.ports.log.warn({ step }, 'the request differs from the recorded one, asking anew');
      this.events.push({
        type: 'interaction.diverged',
        data: { step, recorded: last.requestHash, now: hash },
      });
      return null;
    }
    // A run that waits for its provider asks anew after the wait; one that falls back has had its answer.
    if (last.state === 'failed' && this.work.settings.onOutage === 'later') return null;
    this.replayed += 1;
    if (last.state === 'failed') {
      throw new CasefileError(last.errorCode ?? 'unexpected', `recorded failure of step ${step}`);
    }
    this.remark(last.route ?? 'first');
    return responseOf(last);
  }

  private remark(route: InteractionRoute): void {
    const remark = REMARKS[route];
    if (remark !== undefined) this.remarks.add(remark);
  }

  /** The count goes on after a crash; a run that waits for its provider begins a new one after each wait. */
  private madeBefore(before: Interaction[], hash: string, provider: string): number {
    const made = before.filter((one) => one.requestHash === hash && one.provider === provider).length;
    return this.work.settings.onOutage === 'later' ? made % this.ports.attempts.attempts : made;
  }

  private async attempt(
    way: ModelWay,
    asked: { step: number; hash: string; request: ModelRequest },
    deadlineAt: number | null,
  ): Promise<{ response: ModelResponse } | { error: CasefileError }> {
    const attempt = (this.attempts.get(asked.step) ?? 0) + 1;
    const reservations = this.reservations(way, asked.request);
    const id = await this.intend(way, { ...asked, attempt }, reservations);
    this.attempts.set(asked.step, attempt);
    const outcome = await this.pay(way, asked.request, { id, step: asked.step, attempt }, deadlineAt);
    const { result, ...came } = outcome;
    this.unwritten.push(reservations.length > 0 ? this.charged(result, reservations) : result);
    return came;
  }

  private charged(result: InteractionResult, reservations: Reservation[]): InteractionResult {
    const charge = chargeOf(result);
    const above = reservations.find(({ measure, amount }) => (charge[measure] ?? 0) > amount);
    if (above !== undefined) {
      const { provider, model } = result;
      const facts = { provider, model, key: above.key, reserved: above.amount, came: charge[above.measure] };
      this.ports.log.warn(
        facts,
        'a call came to more than its worst case: its price or token estimate is wrong',
      );
    }
    return { ...result, charge };
  }

  private reservations(way: ModelWay, request: ModelRequest): Reservation[] {
    const { caseId, lane, settings } = this.work;
    const spender = { caseId, lane, playbook: settings.playbook };
    const worst = () => way.worstCase(request);
    const reservations = reservationsOf(this.ports.budgets, spender, worst, this.ports.clock.now());
    if (reservations !== null) return reservations;
    const { provider, model } = way.model;
    throw new CasefileError(
      'unknown_price',
      `a budget counts money, and the price of ${provider}/${model} is not known`,
    );
  }

  private async intend(
    way: ModelWay,
    asked: { step: number; attempt: number; hash: string; request: ModelRequest },
    reservations: Reservation[],
  ): Promise<string> {
    const { step, attempt, hash, request } = asked;
    const id = this.ports.ids.id();
    const held = await this.ports.store.intend({
      lease: this.work.lease,
      results: this.takeResults(),
      interaction: {
        ...{ id, step, attempt, requestHash: hash, route: way.route },
        provider: way.model.provider,
        model: way.model.model,
        promptId: request.promptId,
        request: request as unknown as JsonObject,
        draw: this.draw(null),
      },
      ...(reservations.length > 0 ? { reservations } : {}),
    });
    if (!held) throw staleLease();
    return id;
  }

  private async pay(
    { model }: ModelWay,
    request: ModelRequest,
    at: { id: string; step: number; attempt: number },
    deadlineAt: number | null,
  ): Promise<{ result: InteractionResult } & ({ response: ModelResponse } | { error: CasefileError })> {
    const { clock } = this.ports;
    const { runId, unit, stage, round } = this.work.lease;
    const callKey = [runId, unit, stage, round, at.step, at.attempt].join('/');
    const started = clock.now();
    try {
      const response = await withDeadline(
        this.signal,
        deadlineAt === null ? null : deadlineAt - started,
        (signal) => model.complete(request, { signal, callKey }),
      );
      return { response, result: recordOfResponse(at.id, response, clock.now() - started) };
    } catch (thrown) {
      // A call that was cut off because we must stop is left pending: the next claim marks it ambiguous.
      this.signal.throwIfAborted();
      const error = asCasefileError(thrown);
      return { error, result: recordOfFailure(at.id, model, error, clock.now() - started) };
    }
  }
}

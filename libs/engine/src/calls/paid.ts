import {
  asCasefileError,
  withTimeout,
  type Clock,
  type Ids,
  type InteractionResult,
  type JsonObject,
  type Logger,
  type ModelRequest,
  type Reservation,
} from '@casefile/contracts';
import { staleLease } from '../leases/lease-keeper.js';
import { resultCharge } from './budget-plan.js';
import type { CallRecord } from './call-record.js';
import { recordOfFailure, recordOfResponse } from './interaction-record.js';
import type { ModelCandidate } from './model-plan.js';
import { callEnd, type Attempted, type Intent, type StageCall } from './stage-call.js';

export interface PaidPorts {
  /** Writes the intent before the call. false: another worker has claimed the lease meanwhile. */
  intend(intent: Intent): Promise<boolean>;
  clock: Clock;
  ids: Ids;
  log: Logger;
}

/** Makes one attempt and records it: the intent with its reservations, then the call and its result. */
export class Paid {
  constructor(
    private readonly record: CallRecord,
    private readonly ports: PaidPorts,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws CasefileError `stale_lease`, `budget_exhausted`: no call was made. */
  async attempt(call: StageCall, way: ModelCandidate): Promise<Attempted> {
    const attempt = this.record.nextAttempt(call.step);
    const id = await call.waits.during(() => this.intend(call, way, attempt));
    this.record.begun(call.step, attempt);
    const { result, ...reply } = await this.complete(call, way, { id, attempt });
    const { reservations = [] } = call;
    const settled = reservations.length > 0 ? this.charged(result, call.request, reservations) : result;
    this.record.ended(call.step, settled);
    return reply;
  }

  private async intend(
    { step, hash, request, reservations = [] }: StageCall,
    way: ModelCandidate,
    attempt: number,
  ): Promise<string> {
    const id = this.ports.ids.id();
    const isLeaseHeld = await this.ports.intend({
      results: this.record.takeResults(),
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
        draw: this.record.drawOfAttempt(),
      },
      ...(reservations.length > 0 ? { reservations } : {}),
    });
    if (!isLeaseHeld) throw staleLease();
    return id;
  }

  private async complete(
    call: StageCall,
    { model }: ModelCandidate,
    { id, attempt }: { id: string; attempt: number },
  ): Promise<{ result: InteractionResult } & Attempted> {
    const { clock } = this.ports;
    const { step, request, waits } = call;
    const { key, toolCallId } = this.record.work;
    const { runId, unit, stage, round } = key;
    const own = toolCallId === undefined ? [] : [toolCallId];
    const callKey = [runId, unit, stage, round, ...own, step, attempt].join('/');
    const [started, end] = [clock.now(), callEnd(call)];
    const forMs = end === null ? null : Math.max(0, end - started);
    try {
      const response = await withTimeout(
        forMs,
        this.signal,
        (signal) => model.complete(request, { signal, callKey }),
        { retryable: false, moreMs: waits.lateness(forMs) },
      );
      // The record keeps the answer itself. A log has no guard, so it gets sizes only.
      const { content, toolCalls, finishReason } = response;
      const sizes = { characters: content.length, toolCalls: toolCalls.length };
      const facts = { callKey, promptId: request.promptId, ...sizes, finishReason };
      this.ports.log.debug(facts, 'a model answered');
      return { response, result: recordOfResponse(id, response, clock.now() - started) };
    } catch (thrown) {
      // A call that a stop interrupted stays pending, and the next claim marks it ambiguous.
      this.signal.throwIfAborted();
      const error = asCasefileError(thrown);
      return { error, result: recordOfFailure(id, model, error, clock.now() - started) };
    }
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
}

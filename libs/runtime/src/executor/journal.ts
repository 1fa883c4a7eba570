import {
  asCasefileError,
  CasefileError,
  type CaseStore,
  type ClaimedWork,
  type Clock,
  type Draw,
  type Ids,
  type Interaction,
  type InteractionResult,
  type JsonObject,
  type LanguageModel,
  type Logger,
  type ModelRequest,
  type ModelResponse,
  type ModelToolCall,
  type NewEvent,
} from '@casefile/contracts';
import type { StepModel } from '@casefile/pipeline';
import { recordOfFailure, recordOfResponse } from './interaction-record.js';
import { staleLease } from './lease-keeper.js';
import { requestHash } from './request-hash.js';
import { withDeadline } from './with-deadline.js';

export interface JournalPorts {
  store: Pick<CaseStore, 'intend'>;
  model: LanguageModel | null;
  clock: Clock;
  ids: Ids;
  log: Logger;
}

/**
 * The model of one stage, on the record: the intent is written before a call, its result with whatever the stage
 * writes next. A step whose answer is on the record is read, never paid again.
 */
export class Journal implements StepModel {
  /** Results that are not on the record yet; the next write takes them along. */
  private unwritten: InteractionResult[] = [];
  readonly events: NewEvent[] = [];
  /** Steps answered from the record. */
  replayed = 0;
  private drawn: Draw | null;

  constructor(
    private readonly work: ClaimedWork,
    private readonly ports: JournalPorts,
    private readonly signal: AbortSignal,
  ) {
    this.drawn = work.interactions[0]?.draw ?? null;
  }

  get available(): boolean {
    return this.ports.model !== null;
  }

  draw(deadlineMs: number | null): Draw {
    this.drawn ??= {
      seed: this.ports.ids.token(16),
      deadlineAt: deadlineMs === null ? null : this.ports.clock.now() + deadlineMs,
    };
    return this.drawn;
  }

  async call(step: number, request: ModelRequest, deadlineAt: number | null): Promise<ModelResponse> {
    const { model } = this.ports;
    const hash = requestHash(request);
    const before = this.work.interactions.filter((interaction) => interaction.step === step);
    const recorded = this.fromRecord(step, hash, before);
    if (recorded !== null) return recorded;
    if (model === null) throw new CasefileError('no_provider', 'no language model is configured');
    if (deadlineAt !== null && this.ports.clock.now() >= deadlineAt) {
      throw new CasefileError('timeout', 'the time for this step is over');
    }
    this.signal.throwIfAborted();
    const attempt = Math.max(0, ...before.map((interaction) => interaction.attempt)) + 1;
    const id = await this.intend(step, attempt, hash, request, model);
    return this.pay(model, request, { id, step, attempt }, deadlineAt);
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
    return responseOf(last);
  }

  private async intend(
    step: number,
    attempt: number,
    hash: string,
    request: ModelRequest,
    model: LanguageModel,
  ) {
    const id = this.ports.ids.id();
    const results = this.takeResults();
    const held = await this.ports.store.intend({
      lease: this.work.lease,
      results,
      interaction: {
        id,
        step,
        attempt,
        provider: model.provider,
        model: model.model,
        promptId: request.promptId,
        requestHash: hash,
        request: request as unknown as JsonObject,
        draw: this.draw(null),
      },
    });
    if (!held) throw staleLease();
    return id;
  }

  private async pay(
    model: LanguageModel,
    request: ModelRequest,
    at: { id: string; step: number; attempt: number },
    deadlineAt: number | null,
  ): Promise<ModelResponse> {
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
      this.unwritten.push(recordOfResponse(at.id, response, clock.now() - started));
      return response;
    } catch (thrown) {
      // A call that was cut off because we must stop is left pending: the next claim marks it ambiguous.
      this.signal.throwIfAborted();
      const error = asCasefileError(thrown);
      this.unwritten.push(recordOfFailure(at.id, model, error, clock.now() - started));
      throw error;
    }
  }
}

function responseOf(interaction: Interaction): ModelResponse {
  const { reasoningContent: content, reasoningSource: source } = interaction;
  return {
    provider: interaction.provider,
    model: interaction.model,
    content: interaction.content ?? '',
    toolCalls: (interaction.toolCalls ?? []) as unknown as ModelToolCall[],
    finishReason: interaction.finishReason ?? '',
    usage: interaction.usage,
    reasoning: content === null ? null : { content, source: source ?? '' },
    raw: interaction.response,
    costUsd: interaction.costUsd,
  };
}

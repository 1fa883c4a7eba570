import type {
  Clock,
  Draw,
  Ids,
  Interaction,
  InteractionResult,
  InteractionRoute,
  JsonObject,
  NewEvent,
} from '@casefile/contracts';
import { OwnWaits } from './own-waits.js';
import type { JournaledWork, StageCall } from './stage-call.js';

export interface CallRecordPorts {
  clock: Clock;
  ids: Ids;
  /** Longest time without a worker by which a deadline is extended, in milliseconds. Default: 0. */
  deadlinePauseMs?: number;
  /** Id of the set of texts that the prompts are rendered from. Default: not recorded. */
  promptSet?: string | undefined;
}

/**
 * Remarks for answers that did not come from the intended model. They are added to what the stage appends.
 */
const REMARKS: Partial<Record<InteractionRoute, string>> = {
  fallback: 'fallback_provider',
  cheaper: 'cheaper_model',
};

/** The model calls of one piece of work: those on the record, and those that its next write adds. */
export class CallRecord {
  readonly events: NewEvent[] = [];
  readonly remarks = new Set<string>();
  /** Number of steps whose recorded answer was reused. */
  replayed = 0;
  /** Steps that the stage has reached, whether their answers were bought or read from the record. */
  readonly stepsCalled = new Set<number>();
  private results: InteractionResult[] = [];
  /** Number of the last attempt of each step. */
  private readonly attempts = new Map<number, number>();
  /** Error code of the last attempt of each step in this process; null: it succeeded. */
  private readonly errors = new Map<number, string | null>();
  private drawn: Draw | null;
  private readonly startedAt: number;
  protected readonly waits: OwnWaits;

  constructor(
    readonly work: JournaledWork,
    private readonly at: CallRecordPorts,
  ) {
    this.drawn = work.interactions[0]?.draw ?? null;
    this.startedAt = at.clock.now();
    this.waits = new OwnWaits(at.clock);
    for (const { step, attempt } of work.interactions)
      this.attempts.set(step, Math.max(attempt, this.attempts.get(step) ?? 0));
  }

  /** Returns the recorded interactions of a step. */
  interactionsOf(step: number): Interaction[] {
    return this.work.interactions.filter((one) => one.step === step);
  }

  /**
   * Returns the recorded draw. Its deadline is extended by the time in which no worker held the step, and by the waits
   * that this process causes.
   */
  draw(deadlineMs: number | null): Draw {
    const drawn = this.drawOnce(deadlineMs);
    if (drawn.deadlineAt === null) return drawn;
    // The deadline of a case of a batch starts with the work, because the case may have waited for its budget
    // and no sender waits for the answer.
    if (this.work.settings.batch !== undefined && deadlineMs !== null)
      return { ...drawn, deadlineAt: this.waits.moved(this.startedAt + deadlineMs) };
    const since = (this.work.pausedMs ?? 0) - (drawn.pausedMs ?? 0);
    const pauseMs = Math.min(since, this.at.deadlinePauseMs ?? 0);
    return { ...drawn, deadlineAt: this.waits.moved(drawn.deadlineAt + pauseMs) };
  }

  /** Returns the draw, made at the first use. */
  drawOnce(deadlineMs: number | null): Draw {
    if (this.drawn !== null) return this.drawn;
    const { pausedMs = 0 } = this.work;
    const deadlineAt = deadlineMs === null ? null : this.at.clock.now() + deadlineMs;
    if (deadlineAt !== null) this.waits.beginsWithCall(deadlineAt);
    this.drawn = {
      seed: this.work.seed ?? this.at.ids.token(16),
      deadlineAt,
      ...(pausedMs > 0 ? { pausedMs } : {}),
    };
    return this.drawn;
  }

  /**
   * Returns the draw as an attempt records it, with the prompt texts that the request was rendered from: after a
   * crash, the installed texts may have changed.
   */
  drawOfAttempt(): Draw {
    const { promptSet: prompts } = this.at;
    return { ...this.drawOnce(null), ...(prompts === undefined ? {} : { prompts }) };
  }

  /** Adds an event of the stage, or of the tool call, to the trace. */
  tell(type: string, data: JsonObject): void {
    const { key, toolCallId } = this.work;
    const { stage, round, unit } = key;
    const place = { stage, round, unit, ...(toolCallId === undefined ? {} : { toolCallId }) };
    this.events.push({ type, data: { ...place, ...data } });
  }

  /** Notes that an answer did not come from the run's own model. */
  remark(route: InteractionRoute): void {
    const remark = REMARKS[route];
    if (remark !== undefined) this.remarks.add(remark);
  }

  /** Returns the number of the next attempt at a step. */
  nextAttempt(step: number): number {
    return (this.attempts.get(step) ?? 0) + 1;
  }

  /** Returns how often this question was already put to a provider before this process claimed the work. */
  madeBefore({ step, hash }: StageCall, provider: string): number {
    return this.interactionsOf(step).filter((one) => one.requestHash === hash && one.provider === provider)
      .length;
  }

  /** Notes the attempt that was begun last at a step. */
  begun(step: number, attempt: number): void {
    this.attempts.set(step, attempt);
  }

  /** Keeps the result of an attempt for the next write. */
  ended(step: number, result: InteractionResult): void {
    this.errors.set(step, result.errorCode);
    this.results.push(result);
  }

  /**
   * Returns the error code of the last attempt at a step in this process; null: no attempt, or it succeeded.
   */
  lastError(step: number): string | null {
    return this.errors.get(step) ?? null;
  }

  /** Returns the results that are not recorded yet. The write that takes them records them. */
  takeResults(): InteractionResult[] {
    const { results } = this;
    this.results = [];
    return results;
  }
}

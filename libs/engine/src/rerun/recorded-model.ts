import {
  CasefileError,
  reasonCodeOf,
  type AnswerRead,
  type Draw,
  type Ids,
  type Interaction,
  type Json,
  type JsonObject,
  type ModelRequest,
  type ModelResponse,
  type RunSettings,
  type StageKey,
} from '@casefile/contracts';
import { firstDifference, type FirstDifference, type StepModel } from '@casefile/pipeline';
import { interactionResponse, requestHash } from '../calls/interaction-record.js';
import type { Journal } from '../calls/journal.js';
import { sameModels, type Recording } from './recording.js';

/** Stage that reads a record, and its ports. */
export interface RecordedWork {
  key: StageKey;
  settings: RunSettings;
  recording: Recording;
  ids: Pick<Ids, 'id'>;
}

/**
 * Model of a stage that reads the record of another run. The same request gets the recorded answer or
 * failure. A missing answer ends the run, or is asked by the stage's own journal if the run may ask.
 */
export class RecordedModel implements StepModel {
  private reads: AnswerRead[] = [];
  private readonly mayAsk: boolean;
  private readonly asksAnew: boolean;
  private readonly failsAgain: boolean;
  private readonly isSame: boolean;

  constructor(
    private readonly work: RecordedWork,
    private readonly own: Journal,
  ) {
    this.mayAsk = work.settings.recorded?.misses === 'ask';
    this.asksAnew = work.settings.recorded?.answers === 'new';
    this.failsAgain = !this.mayAsk || work.settings.recorded?.answers === 'same';
    this.isSame = sameModels(work.recording.run.settings, work.settings);
  }

  get available(): boolean {
    const { recording, settings } = this.work;
    if (this.isSame && !this.mayAsk) return recording.hadModel;
    if (settings.provider === 'none') return false;
    return this.own.available || !this.mayAsk;
  }

  recorded(step: number): boolean {
    const { recording, key } = this.work;
    const isThere = recording.attemptsAt(key, step).some(({ state }) => state === 'completed');
    return this.own.recorded(step) || (isThere && this.isSame && !this.asksAnew);
  }

  /**
   * Returns the draw, whose marks use the recorded seed. Its deadline has already passed, because a recorded
   * answer needs no time.
   */
  draw(deadlineMs: number | null): Draw {
    const drawn = this.own.draw(deadlineMs);
    return this.mayAsk || deadlineMs === null ? drawn : { ...drawn, deadlineAt: 0 };
  }

  async call(step: number, request: ModelRequest, deadlineAt: number | null): Promise<ModelResponse> {
    this.own.stepsCalled.add(step);
    if (this.asksAnew || this.own.interactionsOf(step).length > 0)
      return this.own.call(step, request, deadlineAt);
    const hash = requestHash(request);
    const here = this.work.recording.attemptsAt(this.work.key, step);
    const isHere = this.isSame && here.some((one) => one.requestHash === hash);
    const answer = isHere ? this.answerHere(step, hash, here) : this.answerElsewhere(step, hash);
    if (answer !== null) return answer;
    if (this.failsAgain) this.refuseAgain(step, here);
    if (this.mayAsk) return this.own.call(step, request, deadlineAt);
    return this.refuse(step, request, here);
  }

  /** Returns the answers that were read from the other run and are not on this run's record yet. */
  takeReads(): AnswerRead[] {
    const { reads } = this;
    this.reads = [];
    return reads;
  }

  /** Notes model calls of a tool whose result was read from the record. */
  readOfTool(toolCallId: string, calls: readonly Interaction[]): void {
    for (const one of calls) this.note(one, one.step, one.attempt, toolCallId);
  }

  private answerHere(step: number, hash: string, here: readonly Interaction[]): ModelResponse | null {
    const same = here.filter((one) => one.requestHash === hash);
    const completed = same.findLast(({ state }) => state === 'completed');
    if (completed === undefined && !this.failsAgain) return null;
    if (completed === undefined) return this.failAgain(step, same);
    for (const one of same) this.note(one, step, one.attempt);
    return this.replayAnswer(completed);
  }

  private failAgain(step: number, same: readonly Interaction[]): null {
    const refusal = this.work.recording.refusalAt(this.work.key, step);
    const failed = same.findLast(({ state }) => state === 'failed');
    const code = refusal?.reasonCode ?? failed?.errorCode;
    if (code === undefined || code === null) return null;
    for (const one of same) this.note(one, step, one.attempt);
    this.own.replayed += 1;
    throw new CasefileError(reasonCodeOf(code), refusal?.message ?? `recorded failure of step ${step}`);
  }

  private answerElsewhere(step: number, hash: string): ModelResponse | null {
    const interaction = this.work.recording.answerTo(hash);
    if (interaction === null || !(this.isSame || this.isOfOwnModel(interaction))) return null;
    this.note(interaction, step, 1);
    return this.replayAnswer(interaction);
  }

  private isOfOwnModel({ provider, model }: Interaction): boolean {
    const { settings } = this.work;
    return provider === settings.provider && model === settings.model;
  }

  private replayAnswer(interaction: Interaction): ModelResponse {
    this.own.replayed += 1;
    this.own.remark(interaction.route ?? 'first');
    return interactionResponse(interaction);
  }

  private note(one: Interaction, step: number, attempt: number, toolCallId: string | null = null): void {
    this.reads.push({ id: this.work.ids.id(), of: one.id, step, attempt, toolCallId });
  }

  // A step that the recorded run refused without an attempt is refused again, with the same error.
  private refuseAgain(step: number, here: readonly Interaction[]): void {
    const { key, recording } = this.work;
    const refusal = recording.refusalAt(key, step);
    if (refusal === null || here.length > 0 || !this.isSame) return;
    this.own.replayed += 1;
    throw new CasefileError(reasonCodeOf(refusal.reasonCode), refusal.message);
  }

  // Ends the run, because the record has no answer to this request.
  private refuse(step: number, request: ModelRequest, here: readonly Interaction[]): never {
    const { key } = this.work;
    const before = here.at(-1);
    const difference =
      before === undefined ? null : firstDifference(askedRequest(before.request), askedRequest(request));
    const hashes = { requestHash: requestHash(request), recordedHash: before?.requestHash ?? null };
    const differenceFields = difference === null ? null : { ...difference };
    this.own.tell('evidence.missed', { what: 'answer', step, ...hashes, difference: differenceFields });
    const what = `step ${step} has no answer on the record, ${this.whyNot(before, difference)}`;
    throw new CasefileError('evidence_miss', `${key.stage}: ${what}`);
  }

  private whyNot(before: Interaction | undefined, difference: FirstDifference | null): string {
    const { recording, settings } = this.work;
    if (before === undefined) return 'for the recorded run never reached it';
    if (difference !== null)
      return `for the request differs, first at ${difference.path}: ${quotedText(difference.a)} then, ${quotedText(difference.b)} now`;
    const { provider, model } = recording.run.settings;
    return `for another model is asked: ${provider}/${model} then, ${settings.provider}/${settings.model} now`;
  }
}

// Removes the switch for reasoning, because the setting of a run or provider is not part of the question.
function askedRequest(request: ModelRequest | JsonObject): Json {
  const { reasoning: _, ...question } = request as unknown as JsonObject;
  return JSON.parse(JSON.stringify(question)) as Json;
}

const quotedText = (text: string): string => JSON.stringify(text);

import {
  asCasefileError,
  CasefileError,
  reasonOf,
  UnusableAnswer,
  type Draw,
  type ModelRequest,
  type ModelResponse,
  type ReadAnswer,
  type Question,
  type WrongAnswer,
  type JsonObject,
  type Brief,
} from '@casefile/contracts';
import { drawMark, fencedText } from './fence.js';
import type { StepModel } from './stage-ports.js';
import { firstCodePoints, plainText, inLine } from './plain-text.js';
import { markHidden } from './language/without-disguises.js';

/** Result if no answer could be used. */
export interface NoAnswer {
  /** Error of the last answer: `invalid_answer`, `empty_answer` or `cut_answer`. */
  error: CasefileError;
}

/** The model that a question is put to, and the journal steps of the attempts. */
export interface AskedOf {
  model: Pick<StepModel, 'call'>;
  /** Drawn in common for all steps, so that a repeated rendering has the same bytes. */
  draw: Draw;
  /**
   * One per try. The first asks the question; each further one also states what was wrong with the previous
   * answer.
   */
  steps: readonly [number, ...number[]];
  /** Aborted when no caller waits for the answer. */
  signal?: AbortSignal;
  /** Called for each answer that could not be used. */
  onWrong?(step: number, error: CasefileError): void;
}

/** Remark on a draft whose answer arrived in the reasoning field. */
export const ANSWER_IN_REASONING = 'answer_in_reasoning';

/**
 * Result of a question: the value after `tries` answers, or none that could be used. `remarks` state how the
 * answer deviated from the requested form.
 */
export type QuestionResult<T> = { value: T; tries: number; remarks: string[] } | NoAnswer;

/**
 * Asks a question. If the answer has the wrong form, is empty or was cut off, asks again at each further
 * step.
 * @throws CasefileError of the call, for any other failure of it.
 */
export async function ask<T>(
  question: Question<T>,
  { model, draw, steps, signal, onWrong }: AskedOf,
): Promise<QuestionResult<T>> {
  let wrong: (WrongAnswer & NoAnswer) | undefined;
  for (const [i, step] of steps.entries()) {
    const came = await model
      .call(step, questionRequest(question, drawMark(draw, step), wrong), draw.deadlineAt)
      .catch((thrown: unknown) => noAnswer(thrown, signal));
    if ('problem' in came) wrong = came;
    else {
      const { content } = came;
      const { read, remarks } = readResponse(question, came);
      if ('value' in read) return { value: read.value, tries: i + 1, remarks };
      wrong = { content, problem: read.problem, error: new CasefileError('invalid_answer', read.problem) };
    }
    onWrong?.(step, wrong.error);
  }
  return { error: wrong?.error ?? new CasefileError('unexpected', 'the question has no step') };
}

/**
 * Reads the answer of a response. A server with a reasoning parser puts an answer without thoughts into the
 * reasoning field. If there is no other content and the reasoning fits, it is the answer; cut-off thoughts
 * never are.
 */
function readResponse<T>(
  question: Question<T>,
  { content, reasoning, finishReason }: Pick<ModelResponse, 'content' | 'reasoning' | 'finishReason'>,
): { read: ReadAnswer<T>; remarks: string[] } {
  const read = question.read(content);
  const thought = reasoning?.content ?? '';
  const isElsewhere = content.trim() === '' && thought !== '' && finishReason !== 'length';
  if ('value' in read || !isElsewhere) return { read, remarks: [] };
  const inThought = question.read(thought);
  return 'value' in inThought ? { read: inThought, remarks: [ANSWER_IN_REASONING] } : { read, remarks: [] };
}

/** Builds the call for a question; with `wrong` it also states what was wrong with the previous answer. */
export function questionRequest<T>(question: Question<T>, mark: string, wrong?: WrongAnswer): ModelRequest {
  const { id, kind, level, system, answer, maxOutputTokens } = question;
  return {
    promptId: id,
    kind,
    ...(level === 'high' ? {} : { level }),
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: question.render(mark, wrong) },
    ],
    answerSchema: answer,
    maxOutputTokens,
    temperature: 0,
  };
}

/**
 * Returns whether the error is about an answer that was paid for and cannot be used. Waiting would not help,
 * because the same answer would be paid for again.
 */
export function isOfAnswer(error: CasefileError): boolean {
  return reasonOf(error.reasonCode).of === 'answer' || error instanceof UnusableAnswer;
}

// Returns the problem of an unusable answer, which is worth another try. Rethrows failures of the provider.
function noAnswer(thrown: unknown, signal?: AbortSignal): WrongAnswer & NoAnswer {
  const error = asCasefileError(thrown);
  const { of, retry } = reasonOf(error.reasonCode);
  if (signal?.aborted === true || of !== 'answer' || retry !== true) throw thrown;
  const problem = error.reasonCode === 'cut_answer' ? 'The answer was cut off.' : 'The answer was empty.';
  return { content: '', problem, error };
}

/** Code points of an invalid first answer that the retry quotes. */
const ANSWER_SHOWN = 1_000;
const NOTES_SHOWN = 10;

/** Values of the section `retry`: the unusable answer and its problem. Empty: the section is left out. */
export function markRetry(
  mark: string,
  wrong: WrongAnswer | undefined,
): { answer: string; problem: string }[] {
  if (wrong === undefined) return [];
  const quoted = firstCodePoints(plainText(wrong.content), ANSWER_SHOWN) || '(nothing)';
  return [{ answer: fencedText(quoted, mark), problem: fencedText(inLine(wrong.problem, 500), mark) }];
}

/** Returns a JSON schema as a prompt shows it: without white space, which costs tokens and says nothing. */
export const schemaText = (schema: JsonObject): string => JSON.stringify(schema);

/**
 * Values of the section `notes`: unusual findings of triage, one per line. Empty: the section is left out.
 */
export function notesOf({ notes }: Brief, mark: string): { notes: string }[] {
  if (notes.length === 0) return [];
  const lines = notes.slice(0, NOTES_SHOWN).map((note) => `- ${markHidden(inLine(note))}`);
  return [{ notes: fencedText(lines.join('\n'), mark) }];
}

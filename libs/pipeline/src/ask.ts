import {
  ANSWER_READING,
  asCasefileError,
  CasefileError,
  reasonOf,
  UnusableAnswer,
  type Draw,
  type AnswerReading,
  type ModelRequest,
  type ModelResponse,
  type ReadAnswer,
  type Question,
  type WrongAnswer,
} from '@casefile/contracts';
import { markOf } from './fence.js';

/** That no answer could be used. */
export interface NoAnswer {
  /** Of the last one: `invalid_answer`, `empty_answer` or `cut_answer`. */
  error: CasefileError;
}

/** Whom a question is asked, and as which steps of the journal. */
export interface AskedOf {
  model: {
    /** One attempt at one step of the journal. @throws CasefileError with a reason code of the LanguageModel port. */
    call(
      step: number,
      request: ModelRequest,
      deadlineAt: number | null,
    ): Promise<Pick<ModelResponse, 'content' | 'reasoning' | 'finishReason'>>;
  };
  /** Drawn once for all steps, so that a second rendering has the same bytes. */
  draw: Draw;
  /** One for each try: the first asks, each further one tells what was wrong with the answer before. */
  steps: readonly [number, ...number[]];
  /** Aborted when no caller waits for the answer any more. */
  signal?: AbortSignal;
  /** How the run reads answers. Default: the newest reading. */
  reading?: AnswerReading;
  /** Is told of each answer that could not be used. */
  onWrong?(step: number, error: CasefileError): void;
}

/** On a draft whose answer stood in the field of the reasoning. */
export const ANSWER_IN_REASONING = 'answer_in_reasoning';

/**
 * What a question came to: `tries` answers were needed, or none of them could be used. `remarks`: how the answer came
 * otherwise than it was asked for.
 */
export type Asked<T> = { value: T; tries: number; remarks: string[] } | NoAnswer;

/**
 * Asks a question, and once more for each further step while the answer cannot be used: not of its form, empty, or cut
 * off.
 * @throws CasefileError of the call, for any other failure of it.
 */
export async function ask<T>(
  question: Question<T>,
  { model, draw, steps, signal, reading = ANSWER_READING, onWrong }: AskedOf,
): Promise<Asked<T>> {
  let wrong: (WrongAnswer & NoAnswer) | undefined;
  for (const [i, step] of steps.entries()) {
    const came = await model
      .call(step, requestOf(question, markOf(draw, step), wrong), draw.deadlineAt)
      .catch((thrown: unknown) => noAnswer(thrown, signal));
    if ('problem' in came) wrong = came;
    else {
      const { content } = came;
      const { read, remarks } = readResponse(question, came, reading);
      if ('value' in read) return { value: read.value, tries: i + 1, remarks };
      wrong = { content, problem: read.problem, error: new CasefileError('invalid_answer', read.problem) };
    }
    onWrong?.(step, wrong.error);
  }
  return { error: wrong?.error ?? new CasefileError('unexpected', 'the question has no step') };
}

/**
 * Reads the answer of a response. Servers with a parser for reasoning put an answer without thoughts into the field of
 * the reasoning: if there is nothing else, and it fits, it is the answer. Thoughts that were cut off are none.
 */
function readResponse<T>(
  question: Question<T>,
  { content, reasoning, finishReason }: Pick<ModelResponse, 'content' | 'reasoning' | 'finishReason'>,
  reading: AnswerReading,
): { read: ReadAnswer<T>; remarks: string[] } {
  const read = question.read(content, reading);
  const thought = reasoning?.content ?? '';
  const isElsewhere = content.trim() === '' && thought !== '' && finishReason !== 'length';
  if ('value' in read || reading === 1 || !isElsewhere) return { read, remarks: [] };
  const inThought = question.read(thought, reading);
  return 'value' in inThought ? { read: inThought, remarks: [ANSWER_IN_REASONING] } : { read, remarks: [] };
}

/** The call that asks a question; `wrong`: and tells what was wrong with the answer before. */
export function requestOf<T>(question: Question<T>, mark: string, wrong?: WrongAnswer): ModelRequest {
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

/** Is it about an answer that was paid and cannot be used? Asked for after a wait, the same is paid again. */
export function isOfAnswer(error: CasefileError): boolean {
  return reasonOf(error.reasonCode).of === 'answer' || error instanceof UnusableAnswer;
}

// An answer gone wrong is worth another try; a provider gone wrong is for the caller.
function noAnswer(thrown: unknown, signal?: AbortSignal): WrongAnswer & NoAnswer {
  const error = asCasefileError(thrown);
  const { of, retry } = reasonOf(error.reasonCode);
  if (signal?.aborted === true || of !== 'answer' || retry !== true) throw thrown;
  const problem = error.reasonCode === 'cut_answer' ? 'The answer was cut off.' : 'The answer was empty.';
  return { content: '', problem, error };
}

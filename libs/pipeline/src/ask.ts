import {
  asCasefileError,
  CasefileError,
  reasonOf,
  type Draw,
  type ModelRequest,
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
    call(step: number, request: ModelRequest, deadlineAt: number | null): Promise<{ content: string }>;
  };
  /** Drawn once for all steps, so that a second rendering has the same bytes. */
  draw: Draw;
  /** One for each try: the first asks, each further one tells what was wrong with the answer before. */
  steps: readonly [number, ...number[]];
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal;
  /** Is told of each answer that could not be used. */
  onWrong?(step: number, error: CasefileError): void;
}

/** What a question came to: `tries` answers were needed, or none of them could be used. */
export type Asked<T> = { value: T; tries: number } | NoAnswer;

/**
 * Asks a question, and once more for each further step while the answer cannot be used: not of its form, empty, or cut
 * off.
 * @throws CasefileError of the call, for any other failure of it.
 */
export async function ask<T>(
  question: Question<T>,
  { model, draw, steps, signal, onWrong }: AskedOf,
): Promise<Asked<T>> {
  let wrong: (WrongAnswer & NoAnswer) | undefined;
  for (const [i, step] of steps.entries()) {
    const content = await model
      .call(step, requestOf(question, markOf(draw, step), wrong), draw.deadlineAt)
      .then((response) => response.content)
      .catch((thrown: unknown) => noAnswer(thrown, signal));
    if (typeof content === 'string') {
      const read = question.read(content);
      if ('value' in read) return { value: read.value, tries: i + 1 };
      wrong = { content, problem: read.problem, error: new CasefileError('invalid_answer', read.problem) };
    } else wrong = content;
    onWrong?.(step, wrong.error);
  }
  return { error: wrong?.error ?? new CasefileError('unexpected', 'the question has no step') };
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

// An answer gone wrong is worth another try; a provider gone wrong is for the caller.
function noAnswer(thrown: unknown, signal?: AbortSignal): WrongAnswer & NoAnswer {
  const error = asCasefileError(thrown);
  const { of, retry } = reasonOf(error.reasonCode);
  if (signal?.aborted === true || of !== 'answer' || retry !== true) throw thrown;
  const problem = error.reasonCode === 'cut_answer' ? 'The answer was cut off.' : 'The answer was empty.';
  return { content: '', problem, error };
}

import {
  asCasefileError,
  isWorkerError,
  reasonOf,
  type JsonObject,
  type Question,
} from '@casefile/contracts';
import { ask } from '@casefile/pipeline/ask';
import type { StagePorts } from '@casefile/pipeline/stage-ports';

/** The answer of a role, or the reason why there is none. */
export type RoleAnswer<T> = { value: T; unreadable: number; remarks: string[] } | { failed: string };

/** Time limits of a role, including its retries. */
export interface RoleTimes {
  timeoutMs: number;
  maxRetries: number;
  /**
   * Time at which the run has to end with its results so far, in milliseconds since the epoch. Default: no
   * limit.
   */
  until?: number | null;
  /** First step in the journal, if a stage asks more than one question. */
  from?: number;
}

/**
 * Asks a role, and asks again up to `maxRetries` times while its answer is unreadable, all within the role's
 * time limit.
 * @throws errors of the worker itself, and exhausted budgets: the run then waits until the budget is raised.
 */
export async function askRole<T>(
  question: Question<T>,
  { timeoutMs, maxRetries, until = null, from = 1 }: RoleTimes,
  { model, signal, log, run }: StagePorts,
): Promise<RoleAnswer<T>> {
  if (!model.available) return { failed: 'no_provider' };
  const more = Array.from({ length: maxRetries }, (_, i) => from + i + 1);
  try {
    const drawn = model.draw(timeoutMs);
    const draw =
      until === null ? drawn : { ...drawn, deadlineAt: Math.min(drawn.deadlineAt ?? until, until) };
    const asked = await ask(question, { model, draw, steps: [from, ...more], signal });
    if ('value' in asked && asked.remarks.length > 0)
      log.info(
        { caseId: run.caseId, runId: run.runId, prompt: question.id, remarks: asked.remarks },
        'a role answered otherwise than it was asked to',
      );
    if ('value' in asked) return { value: asked.value, unreadable: asked.tries - 1, remarks: asked.remarks };
    return { failed: 'invalid_answer' };
  } catch (thrown) {
    const error = asCasefileError(thrown);
    const waits = isWorkerError(error) || reasonOf(error.reasonCode).of === 'money';
    if (signal.aborted || waits) throw thrown;
    log.warn(
      { caseId: run.caseId, runId: run.runId, prompt: question.id, reason: error.reasonCode },
      'a role gave no answer',
    );
    return { failed: error.reasonCode };
  }
}

/** A JSON schema of an object for providers with structured output, and for prompts. */
export const propertyObject = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
export const descriptionText = (description: string): JsonObject => ({ type: 'string', description });
export const descriptionList = (description: string): JsonObject => ({
  type: 'array',
  items: { type: 'string' },
  description,
});

import type { ModelResponse } from '../ports/language-model.js';
import type { ReasonCode } from './reason-codes.js';
import { CasefileError } from './casefile-error.js';
import type { ErrorFacts } from './casefile-error.js';

/** A model's answer that is charged but contains nothing usable: `empty_answer`, `refused`. */
export class UnusableAnswer extends CasefileError {
  // Private, so that logging the error does not log the answer.
  readonly #response: ModelResponse;

  constructor(reasonCode: ReasonCode, message: string, response: ModelResponse, facts: ErrorFacts = {}) {
    super(reasonCode, message, facts);
    this.#response = response;
  }

  /** The received part of the answer, with usage and cost, for the record. */
  get response(): ModelResponse {
    return this.#response;
  }
}

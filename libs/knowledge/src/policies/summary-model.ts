import type { ModelRequest, ModelResponse, PolicySection, Question } from '@casefile/contracts';

/** A question for a model: the call, and the function that reads its answer. */
export interface SummaryQuestion {
  request: ModelRequest;
  read: Question<{ nodeId: string; summary: string }[]>['read'];
}

/** The model that writes summaries, and its questions. */
export interface SummaryModel {
  /** Name as `provider/model`. */
  name: string;
  /** Whether it writes summaries without being requested. */
  byDefault: boolean;
  /** Builds the question for summaries of these sections of the policy with this title. */
  questionAbout(title: string, sections: readonly PolicySection[]): SummaryQuestion;
  /** Highest cost of a call in US dollars; null: the price is not known. */
  worstUsd(request: ModelRequest): number | null;
  /** As `LanguageModel.complete`. */
  complete(request: ModelRequest, call: { signal: AbortSignal; callKey: string }): Promise<ModelResponse>;
  sleep(ms: number): Promise<void>;
}

import type { ModelRequest, ModelResponse, PolicySection, Question } from '@casefile/contracts';

/** A question as it is asked: the call, and how its answer is read. */
export interface SummaryQuestion {
  request: ModelRequest;
  read: Question<{ nodeId: string; summary: string }[]>['read'];
}

/** The model that writes summaries, and how it is asked. */
export interface SummaryModel {
  /** As `provider/model`. */
  name: string;
  /** Are its summaries worth having unasked? */
  byDefault: boolean;
  /** Asks for summaries of these sections of the policy with this title. */
  questionAbout(title: string, sections: readonly PolicySection[]): SummaryQuestion;
  /** US dollars that a call costs at most; null: the price is not known. */
  worstUsd(request: ModelRequest): number | null;
  /** As `LanguageModel.complete`. */
  complete(request: ModelRequest, call: { signal: AbortSignal; callKey: string }): Promise<ModelResponse>;
  sleep(ms: number): Promise<void>;
}

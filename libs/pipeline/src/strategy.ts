import type { Brief, Draft, Evidence, ModelRequest, Outcome, Review, RunSettings } from '@casefile/contracts';
import type { StagePorts } from './stage-ports.js';

/** What the reasoner has to go on. */
export interface ReasonInput {
  brief: Brief;
  evidence: Evidence;
  /** Of the round before. */
  previous: { draft?: Draft; review?: Review };
}

/** A draft before its strategy has signed it. */
export type DraftParts = Omit<Draft, 'strategy' | 'promptId'>;

/** An answer that asks no model. */
export type RuleAnswer = (input: ReasonInput, unit: string, settings: RunSettings) => DraftParts;

/** How a kind of case is judged without a model. */
export interface Rules {
  answer: RuleAnswer;
  /** Where a model was to judge and could not; absent: `answer`. S3-41. */
  afterFailure?: RuleAnswer;
}

/** A way to reason. Failures of a model are the strategy's to handle: it never throws for them. */
export interface Strategy {
  /** Version of each prompt it asks by, by what the prompt is for; empty: it asks no model. */
  promptIds: Readonly<Record<string, string>>;
  /** Wire names of the tools that it lets a model call. */
  tools?: readonly string[];
  reason(input: ReasonInput, ports: StagePorts): Promise<Outcome<Draft>>;
}

/** A question that a model answers with one JSON object. */
export interface AnswerPrompt {
  /** With its version: `scam-verdict/answer@1`. */
  id: string;
  /** `mark` fences everything from outside. */
  render(input: ReasonInput, mark: string): ModelRequest;
  /** The same question again, told what was wrong with the answer. */
  renderRetry(input: ReasonInput, mark: string, answer: string, problem: string): ModelRequest;
  /** Reads an answer; a problem is a sentence that the model is told. */
  read(content: string, input: ReasonInput): { draft: DraftParts } | { problem: string };
}

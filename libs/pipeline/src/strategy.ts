import type { Brief, Draft, Evidence, ModelRequest, Outcome, Review } from '@casefile/contracts';
import type { StagePorts } from './stage-ports.js';

/** What the reasoner has to go on. */
export interface ReasonInput {
  brief: Brief;
  evidence: Evidence;
  /** Of the round before. */
  previous: { draft?: Draft; review?: Review };
}

/** How the reasoner works. Failures of a model are the strategy's to handle: it never throws for them. */
export interface Strategy {
  name: string;
  reason(input: ReasonInput, ports: StagePorts): Promise<Outcome<Draft>>;
}

/** What a playbook gives a strategy that asks a model for an answer. */
export interface AnswerPrompt {
  /** With its version: `scam-verdict/answer@1`. */
  id: string;
  /** `mark` fences everything from outside. */
  render(input: ReasonInput, mark: string): ModelRequest;
  /** The same question again, told what was wrong with the answer. */
  renderRetry(input: ReasonInput, mark: string, answer: string, problem: string): ModelRequest;
  /** Reads an answer; a problem is a sentence that the model is told. */
  read(
    content: string,
    input: ReasonInput,
  ): { draft: Omit<Draft, 'strategy' | 'promptId'> } | { problem: string };
}

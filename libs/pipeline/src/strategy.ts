import type {
  Brief,
  Draft,
  Evidence,
  Measure,
  Outcome,
  Question,
  Review,
  RunSettings,
} from '@casefile/contracts';
import type { ThinkAloud } from './prompts/encourage-reasoning.js';
import type { Prompt, PromptTexts } from './prompts/prompt.js';
import type { StagePorts } from './stage-ports.js';

/** Input of the reasoner. */
export interface ReasonInput {
  brief: Brief;
  evidence: Evidence;
  /** Draft and review of the previous round. */
  previous: { draft?: Draft; review?: Review };
}

/** A draft before its strategy has signed it. */
export type DraftParts = Omit<Draft, 'strategy' | 'promptId'>;

/** An answer by rules, without a model. */
export type RuleAnswer = (input: ReasonInput, unit: string, settings: RunSettings) => DraftParts;

/** Judgement of a playbook without a model. */
export interface Rules {
  answer: RuleAnswer;
  /** Used if a model failed. Default: `answer`. */
  afterFailure?: RuleAnswer;
}

/** A way to reason. It handles failures of a model and never throws for them. */
export interface Strategy {
  /** Prompts by purpose; empty: the strategy asks no model. */
  prompts: Readonly<Record<string, Prompt>>;
  /** Wire names of the tools that it lets a model call. */
  tools?: readonly string[];
  /** Prompt for thinking aloud before choosing tools, for providers that need it. Default: none. */
  thinkAloud?: ThinkAloud;
  /**
   * Measures of a draft in addition to the common ones, reported after the draft is recorded. Default: none.
   */
  measures?(draft: Draft): Measure[];
  reason(input: ReasonInput, ports: StagePorts): Promise<Outcome<Draft>>;
}

/** A question that leads to a draft. Its prompt is known before there is a case. */
export interface DraftQuestion {
  prompt: Prompt;
  about(input: ReasonInput, prompts: PromptTexts): Question<DraftParts>;
}

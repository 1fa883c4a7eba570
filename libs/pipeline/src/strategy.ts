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
  /** The prompts it asks by, by what each is for; none: it asks no model. */
  prompts: Readonly<Record<string, Prompt>>;
  /** Wire names of the tools that it lets a model call. */
  tools?: readonly string[];
  /** How its prompts that choose tools encourage thinking aloud, for providers that need it. Absent: not at all. */
  thinkAloud?: ThinkAloud;
  /** Measures of a draft, next to those of every kind. They are reported once the draft is recorded. Absent: none. */
  measures?(draft: Draft): Measure[];
  reason(input: ReasonInput, ports: StagePorts): Promise<Outcome<Draft>>;
}

/** A question for a draft, of which only the prompt is known before there is a case to ask about. */
export interface DraftQuestion {
  prompt: Prompt;
  about(input: ReasonInput, prompts: PromptTexts): Question<DraftParts>;
}

import type {
  Brief,
  Draft,
  Evidence,
  Measure,
  Outcome,
  Question,
  Review,
  RunSettings,
  ModelMessage,
  ModelRequest,
} from '@casefile/contracts';
import type { Prompt, PromptTexts, PromptText } from './prompts/prompt.js';
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

type Thoughts = { readonly thoughts: readonly [] };

/** Prompt by which a playbook lets a model think aloud before it chooses tools. */
export type ThinkAloud = Prompt<Thoughts>;
/** The text of this prompt, as loaded. */
export type ThoughtsText = PromptText<Thoughts>;

/** Returns the loaded text of a playbook's think-aloud prompt; undefined: none. */
export function thoughtsOf(
  { thinkAloud }: { thinkAloud?: ThinkAloud },
  prompts: PromptTexts,
): ThoughtsText | undefined {
  return thinkAloud === undefined ? undefined : prompts.of(thinkAloud);
}

/**
 * Adds the encouragement to think aloud to a prompt of the kind `tool-selection`. Any other prompt is
 * returned as the same object. The text asks for thoughts in addition to the calls, so that it contradicts no
 * prompt that wants calls.
 * @param text Its id is appended to the prompt's id, because the combination is another prompt.
 */
export function encourageReasoning(request: ModelRequest, text: ThoughtsText): ModelRequest {
  if (request.kind !== 'tool-selection') return request;
  return {
    ...request,
    promptId: `${request.promptId}+${text.id}`,
    messages: withEncouragement(request.messages, text.render({ thoughts: {} })),
  };
}

// Added at the end of the system message, so that the turns and the provider's cache of earlier text stay
// valid.
function withEncouragement(messages: ModelMessage[], text: string): ModelMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: text }, ...messages];
  return [{ ...first, content: `${first.content}\n\n${text}` }, ...rest];
}

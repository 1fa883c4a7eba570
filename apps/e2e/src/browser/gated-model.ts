import type { LanguageModel, ModelResponse } from '@casefile/contracts';

export interface GatedReply {
  content: string;
  reasoning: string;
}

/** A model that answers what a test sets, and while its gate is shut only when that is opened. */
export interface GatedModel extends LanguageModel {
  reply: GatedReply;
  /** Answers in its place, where a test sets one. */
  instead: LanguageModel | null;
  /** Calls wait from now on, until `open`. */
  shut(): void;
  /** Lets all calls go, also those that wait. */
  open(): void;
}

export function gatedModel(reply: GatedReply): GatedModel {
  let gate = Promise.resolve();
  let open = (): void => undefined;
  const model: GatedModel = {
    provider: 'simulator',
    model: 'scripted',
    reply,
    instead: null,
    shut: () => void (gate = new Promise((resolve) => (open = resolve))),
    open: () => open(),
    complete: async (...asked) => {
      await gate;
      return model.instead === null ? responseOf(model.reply) : model.instead.complete(...asked);
    },
  };
  return model;
}

function responseOf({ content, reasoning }: GatedReply): ModelResponse {
  return {
    provider: 'simulator',
    model: 'scripted',
    content,
    toolCalls: [],
    finishReason: 'stop',
    usage: { inputTokens: 812, outputTokens: 96, reasoningTokens: 41, cachedTokens: 128 },
    reasoning: { content: reasoning, source: 'reasoning_content' },
    raw: { simulated: true, content },
    costUsd: 0.00042,
  };
}

import type { LanguageModel, ModelResponse } from '@casefile/contracts';

export interface GatedReply {
  content: string;
  reasoning: string;
}

/** A model with the answer that a test sets. While its gate is shut, calls wait. */
export interface GatedModel extends LanguageModel {
  reply: GatedReply;
  /** Model that answers instead, if a test sets one. */
  instead: LanguageModel | null;
  /** Makes calls wait until `open`. */
  shut(): void;
  /** Answers all waiting and later calls. */
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
    complete: async (...args) => {
      await gate;
      return model.instead === null ? responseOf(model.reply) : model.instead.complete(...args);
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

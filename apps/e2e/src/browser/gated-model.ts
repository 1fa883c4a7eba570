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
  /** Calls wait from now on. Returns what lets them all go. */
  shut(): () => void;
}

export function gatedModel(reply: GatedReply): GatedModel {
  let gate = Promise.resolve();
  const model: GatedModel = {
    provider: 'simulator',
    model: 'scripted',
    reply,
    instead: null,
    shut: () => {
      let open = (): void => undefined;
      gate = new Promise((resolve) => (open = resolve));
      return open;
    },
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

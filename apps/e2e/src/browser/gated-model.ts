import type { LanguageModel, ModelResponse } from '@casefile/contracts';
import { supportingExaminer } from '@casefile/kit/testing/supporting-examiner';

export interface GatedReply {
  content: string;
  reasoning: string;
}

/** A model with the answer that a test sets, which it confirms if it is cross-examined. While its gate is shut, calls wait. */
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
      if (model.instead !== null) return model.instead.complete(...args);
      const [{ kind, messages }] = args;
      if (kind !== 'cross-examination') return responseOf(model.reply);
      const prompt = messages.map(({ content }) => content).join('\n');
      return responseOf({ reasoning: '', content: supportingExaminer(prompt) });
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

import { CasefileError, type LanguageModel, type ModelResponse } from '@casefile/contracts';
import { supportingExaminer } from '@casefile/kit/testing/supporting-examiner';

type Reply = string | CasefileError | 'never';

/**
 * Returns a model that gives these replies in order and repeats the last one. `never` gives no answer. It supports the
 * conclusion of an answer when a cross-examination asks.
 */
export function answeringModel(...replies: Reply[]): LanguageModel & { keys: string[] } {
  const keys: string[] = [];
  return {
    provider: 'simulator',
    model: 'scripted',
    keys,
    complete: async ({ kind, messages }, { callKey }) => {
      if (kind === 'cross-examination')
        return responseOf(supportingExaminer(messages.map(({ content }) => content).join('\n')));
      const reply = replies[Math.min(keys.length, replies.length - 1)] ?? '';
      keys.push(callKey);
      if (reply === 'never') return new Promise(() => undefined);
      if (reply instanceof CasefileError) throw reply;
      return responseOf(reply);
    },
  };
}

function responseOf(content: string): ModelResponse {
  return {
    provider: 'simulator',
    model: 'scripted',
    content,
    toolCalls: [],
    finishReason: 'stop',
    usage: { inputTokens: 100, outputTokens: 20, reasoningTokens: 5, cachedTokens: 0 },
    reasoning: { content: 'The sender wants money at once.', source: 'reasoning_content' },
    raw: { simulated: true, content },
    costUsd: 0.001,
  };
}

import type { LanguageModel } from '@casefile/contracts';
import { pause } from '@casefile/contracts/testing';

const ANSWER = JSON.stringify({
  riskLevel: 'high',
  confidence: 90,
  explanation: 'It asks for money.',
  evidenceUsed: ['E1'],
});

/**
 * A model in this process that answers a scam verdict after `delayMs`, to measure the services and not a
 * provider.
 */
export function instantModel(delayMs = 0): LanguageModel & { calls(): number } {
  let calls = 0;
  const response = {
    provider: 'simulator',
    model: 'instant',
    content: ANSWER,
    toolCalls: [],
    finishReason: 'stop',
    usage: { inputTokens: 400, outputTokens: 40, reasoningTokens: 0, cachedTokens: 0 },
    reasoning: null,
    raw: { simulated: true },
    costUsd: 0,
  };
  return {
    provider: 'simulator',
    model: 'instant',
    calls: () => calls,
    complete: async () => {
      calls += 1;
      if (delayMs > 0) await pause(delayMs, 'The duration of a call of this model.');
      return response;
    },
  };
}

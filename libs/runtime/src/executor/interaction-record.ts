import type { CasefileError, InteractionResult, Json, LanguageModel, ModelResponse } from '@casefile/contracts';
import { summarise } from '@casefile/llm';

const NOTHING_USED = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 };

/** What goes on the record of an answered call. */
export function recordOfResponse(id: string, response: ModelResponse, latencyMs: number): InteractionResult {
  const { reasoning } = response;
  return {
    id,
    state: 'completed',
    provider: response.provider,
    model: response.model,
    response: response.raw,
    content: response.content,
    toolCalls: response.toolCalls as unknown as Json,
    usage: response.usage,
    costUsd: response.costUsd,
    latencyMs,
    finishReason: response.finishReason,
    errorCode: null,
    hasReasoning: reasoning !== null,
    reasoningContent: reasoning?.content ?? null,
    reasoningSummary: reasoning === null ? null : summarise(reasoning.content),
    reasoningSource: reasoning?.source ?? null,
  };
}

/** What goes on the record of a call that failed; what the provider said of it is kept when there is any. */
export function recordOfFailure(
  id: string,
  model: LanguageModel,
  error: CasefileError,
  latencyMs: number,
): InteractionResult {
  return {
    id,
    state: 'failed',
    provider: model.provider,
    model: model.model,
    response: { error: error.message, ...(error.details as Record<string, Json>) },
    content: null,
    toolCalls: [],
    usage: NOTHING_USED,
    costUsd: null,
    latencyMs,
    finishReason: null,
    errorCode: error.reasonCode,
    hasReasoning: false,
    reasoningContent: null,
    reasoningSummary: null,
    reasoningSource: null,
  };
}

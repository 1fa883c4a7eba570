import {
  UnusableAnswer,
  summariseReasoning,
  type CasefileError,
  type Interaction,
  type InteractionResult,
  type Json,
  type LanguageModel,
  type ModelResponse,
  type ModelToolCall,
  canonicalJson,
  type ModelRequest,
} from '@casefile/contracts';
import { createHash } from 'node:crypto';

const NOTHING_USED = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 };

/** Returns the record of an answered call. */
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
    reasoningSummary: reasoning === null ? null : summariseReasoning(reasoning.content),
    reasoningSource: reasoning?.source ?? null,
    reasoningKind: reasoning === null ? null : (reasoning.kind ?? 'raw'),
    ...(response.providerState === undefined ? {} : { providerState: response.providerState }),
  };
}

/** Returns the original response of a recorded call. */
export function interactionResponse(interaction: Interaction): ModelResponse {
  const { hasReasoning, reasoningContent, reasoningSource, reasoningKind, providerState } = interaction;
  const reasoning = {
    content: reasoningContent ?? '',
    ...(reasoningKind ? { kind: reasoningKind } : {}),
    source: reasoningSource ?? '',
  };
  return {
    provider: interaction.provider,
    model: interaction.model,
    content: interaction.content ?? '',
    toolCalls: (interaction.toolCalls ?? []) as unknown as ModelToolCall[],
    finishReason: interaction.finishReason ?? '',
    usage: interaction.usage,
    reasoning: hasReasoning ? reasoning : null,
    raw: interaction.response,
    costUsd: interaction.costUsd,
    ...(providerState === undefined || providerState === null ? {} : { providerState }),
  };
}

/**
 * Returns the record of a failed call. An answer that was paid for but cannot be used keeps its cost and
 * reasoning.
 */
export function recordOfFailure(
  id: string,
  model: LanguageModel,
  error: CasefileError,
  latencyMs: number,
): InteractionResult {
  const response =
    error instanceof UnusableAnswer
      ? error.response
      : unansweredModel(model, { error: error.message, ...(error.details as Record<string, Json>) });
  return { ...recordOfResponse(id, response, latencyMs), state: 'failed', errorCode: error.reasonCode };
}

function unansweredModel(model: LanguageModel, raw: Json): ModelResponse {
  const { provider, model: name } = model;
  const empty = { content: '', toolCalls: [], finishReason: '', reasoning: null, costUsd: null };
  return { provider, model: name, ...empty, usage: NOTHING_USED, raw };
}

/**
 * Returns the SHA-256 of the request as canonical JSON (sorted keys), so that equal requests have equal
 * hashes.
 */
export function requestHash(request: ModelRequest): string {
  return createHash('sha256').update(canonicalJson(request)).digest('hex');
}

import { isObject, type Json, type JsonObject, type ModelRequest } from '@casefile/contracts';
import type { ProviderEntry } from './provider-entry.js';

/**
 * Most tokens that models of these efforts and levels have used for thinking: OpenAI's `reasoning_effort`,
 * Anthropic's `effort`, Google's `thinkingLevel`. No provider guarantees these limits.
 */
const EFFORTS: Record<string, number> = {
  none: 512,
  minimal: 512,
  low: 2_000,
  medium: 4_000,
  high: 8_000,
  xhigh: 16_000,
  max: 16_000,
};
/** Room for providers that choose the effort per question. */
const BY_ITSELF = 8_000;
/** Factor for thinking budgets, because Google and Anthropic allow a model to exceed them. */
const PASSED_BY = 1.25;
/** Minimum room, because some models think a little even if thinking is switched off, such as Gemini 3. */
const LEAST = 512;
/** Room for thoughts that a model writes into its answer, between tags. */
const ALOUD = 1_000;

const BUDGETS = ['thinkingBudget', 'thinking_budget', 'budget_tokens', 'max_tokens'];
const LEVELS = ['effort', 'reasoning_effort', 'thinkingLevel', 'thinking_level'];

/**
 * Returns the reasoning parameters to send: `reasoningParams`, or `reasoningOff` if reasoning is switched
 * off.
 */
export function reasoningParamsOf(
  { reasoningParams = {}, reasoningOff = {} }: Pick<ProviderEntry, 'reasoningParams' | 'reasoningOff'>,
  { reasoning = true }: Pick<ModelRequest, 'reasoning'>,
): JsonObject {
  return reasoning ? reasoningParams : reasoningOff;
}

/**
 * Returns the output tokens to send and reserve in addition to the visible answer: the entry's
 * `thinkingRoom`, else a value derived from its parameters. Every protocol counts a model's thoughts within
 * the output limit.
 */
export function tokensForThinking(entry: ProviderEntry, request: Pick<ModelRequest, 'reasoning'>): number {
  if (entry.thinkingRoom !== undefined) return entry.thinkingRoom;
  const room = roomIn(reasoningParamsOf(entry, request));
  if (room !== null) return room;
  return entry.enableReasoning === true && request.reasoning !== false ? ALOUD : 0;
}

/** Returns the output limit to send: the visible answer plus the room for thoughts. */
export function outputLimitOf(
  entry: ProviderEntry,
  request: Pick<ModelRequest, 'reasoning' | 'maxOutputTokens'>,
): number {
  return request.maxOutputTokens + tokensForThinking(entry, request);
}

/** A budget or an effort is more precise than the fact that thinking is on. */
function roomIn(params: JsonObject): number | null {
  const leaves = paramsLeaves(params);
  const said = leaves.flatMap(([key, value]) => saidRoom(key, value));
  if (said.length > 0) return Math.max(...said);
  return leaves.some(([key, value]) => thinks(key, value)) ? BY_ITSELF : null;
}

function paramsLeaves(params: JsonObject): [string, Json][] {
  return Object.entries(params).flatMap(([key, value]) =>
    isObject(value) ? paramsLeaves(value) : [[key, value]],
  );
}

function saidRoom(key: string, value: Json): number[] {
  if (BUDGETS.includes(key) && typeof value === 'number')
    return [value < 0 ? BY_ITSELF : Math.max(LEAST, Math.ceil(value * PASSED_BY))];
  if (LEVELS.includes(key) && typeof value === 'string') return [EFFORTS[value.toLowerCase()] ?? BY_ITSELF];
  return [];
}

function thinks(key: string, value: Json): boolean {
  return key === 'type'
    ? value === 'adaptive' || value === 'enabled'
    : key === 'enable_thinking' && value === true;
}

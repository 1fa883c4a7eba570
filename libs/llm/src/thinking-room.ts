import { isObject, type Json, type JsonObject, type ModelRequest } from '@casefile/contracts';
import type { ProviderEntry } from './provider-entry.js';

/**
 * Tokens that models of these efforts and levels think at the most, by experience: OpenAI's `reasoning_effort`,
 * Anthropic's `effort`, Google's `thinkingLevel`. None of them is a limit that a provider promises.
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
/** Where a provider decides by itself how much a question is worth. */
const BY_ITSELF = 8_000;
/** Google and Anthropic call a budget of thinking a target that a model may pass. */
const PASSED_BY = 1.25;
/** Switched off, and thinking a little all the same: Gemini 3 does. */
const LEAST = 512;
/** For thoughts between tags, which are written into the answer. */
const ALOUD = 1_000;

const BUDGETS = ['thinkingBudget', 'thinking_budget', 'budget_tokens', 'max_tokens'];
const LEVELS = ['effort', 'reasoning_effort', 'thinkingLevel', 'thinking_level'];

/** What is asked of a provider about reasoning: `reasoningParams`, or `reasoningOff` where it is switched off. */
export function reasoningParamsOf(
  { reasoningParams = {}, reasoningOff = {} }: Pick<ProviderEntry, 'reasoningParams' | 'reasoningOff'>,
  { reasoning = true }: Pick<ModelRequest, 'reasoning'>,
): JsonObject {
  return reasoning ? reasoningParams : reasoningOff;
}

/**
 * Output tokens to be sent and reserved beside the visible answer, because every protocol counts a model's thoughts within the
 * limit of its output: the entry's `thinkingRoom`, else what its parameters ask for. S2-06.
 */
export function thinkingRoomOf(entry: ProviderEntry, request: Pick<ModelRequest, 'reasoning'>): number {
  if (entry.thinkingRoom !== undefined) return entry.thinkingRoom;
  const asked = roomIn(reasoningParamsOf(entry, request));
  if (asked !== null) return asked;
  return entry.enableReasoning === true && request.reasoning !== false ? ALOUD : 0;
}

/** The limit of the output as it is sent: the visible answer, and room for the thoughts before it. S2-06. */
export function outputLimitOf(
  entry: ProviderEntry,
  request: Pick<ModelRequest, 'reasoning' | 'maxOutputTokens'>,
): number {
  return request.maxOutputTokens + thinkingRoomOf(entry, request);
}

/** A budget or an effort says more than that there is thinking at all. */
function roomIn(params: JsonObject): number | null {
  const leaves = leavesOf(params);
  const said = leaves.flatMap(([key, value]) => saidRoom(key, value));
  if (said.length > 0) return Math.max(...said);
  return leaves.some(([key, value]) => thinks(key, value)) ? BY_ITSELF : null;
}

function leavesOf(params: JsonObject): [string, Json][] {
  return Object.entries(params).flatMap(([key, value]) =>
    isObject(value) ? leavesOf(value) : [[key, value]],
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

import { CasefileError } from '@casefile/contracts';
import type { Clock, Json, JsonObject, ModelRequest, ModelResponse } from '@casefile/contracts';
import { marked } from './model-response.js';
import type { ProviderEntry } from './provider-entry.js';
import { outputLimitOf, reasoningParamsOf } from './thinking-room.js';
import { holdsOff, requiresCall } from './tool-calls.js';

/** What a call can do without when its provider does not take it: S2-04, S2-07, and a tool call that is required (S4-01). */
export const WISHES = ['toolChoice', 'reasoningParams', 'reasoningOff'] as const;
export type Wish = (typeof WISHES)[number];

/** How long a provider that rejects a wish is spared it. */
const REJECTED_FOR_MS = 600_000;

/** A request as it is sent, with the wishes that are left. */
export interface Asking {
  request: ModelRequest;
  reasoningParams: JsonObject;
}

/** Keeps in mind what one provider does not take. */
export function createWishes(entry: ProviderEntry, clock: Clock) {
  const rejected = new Map<Wish, { until: number; message: string }>();
  return {
    /** What the provider is known not to take of what this request wishes for, with its words for it. */
    known(request: ModelRequest): Map<Wish, string> {
      const known = WISHES.flatMap((wish) => {
        const entryOf = rejected.get(wish);
        const holds = entryOf !== undefined && clock.now() < entryOf.until && isMade(entry, request, wish);
        return holds ? [[wish, entryOf.message] as const] : [];
      });
      return new Map(known);
    },
    /** To be told only when the call came off without: a request that is wrong in itself must not spoil the others. */
    learn(without: ReadonlyMap<Wish, string>): void {
      for (const [wish, message] of without)
        if (clock.now() >= (rejected.get(wish)?.until ?? 0))
          rejected.set(wish, { until: clock.now() + REJECTED_FOR_MS, message });
    },
  };
}

/**
 * The request as it is sent: with room for thoughts in its limit, without what is not taken. The room stays when the
 * parameters go, for the model may think all the same. S2-06.
 */
export function asking(
  entry: ProviderEntry,
  request: ModelRequest,
  without: ReadonlyMap<Wish, string>,
): Asking {
  const { toolChoice, ...unforced } = request;
  const forced = toolChoice === undefined || without.has('toolChoice') ? {} : { toolChoice };
  return {
    request: { ...unforced, ...forced, maxOutputTokens: outputLimitOf(entry, request) },
    reasoningParams: without.has(paramsWish(request)) ? {} : reasoningParamsOf(entry, request),
  };
}

const paramsWish = ({ reasoning = true }: ModelRequest): Wish =>
  reasoning ? 'reasoningParams' : 'reasoningOff';

function isMade(entry: ProviderEntry, request: ModelRequest, wish: Wish): boolean {
  if (wish === 'toolChoice')
    return requiresCall(request) && !holdsOff(entry, reasoningParamsOf(entry, request));
  return wish === paramsWish(request) && entry[wish] !== undefined;
}

/** Which wish an error is about; null: none that was made. */
export function rejectedWish(
  thrown: unknown,
  entry: ProviderEntry,
  request: ModelRequest,
  without: ReadonlyMap<Wish, string>,
): { wish: Wish; message: string } | null {
  if (!(thrown instanceof CasefileError) || thrown.reasonCode !== 'bad_request') return null;
  const said = `${thrown.message} ${JSON.stringify(thrown.details)}`.toLowerCase();
  if (OF_THE_CONVERSATION.test(said)) return null;
  const about = (wish: Wish) =>
    wish === 'toolChoice' ? OF_THE_CHOICE.test(said) : namesOne(said, reasoningParamsOf(entry, request));
  const wish = WISHES.find((one) => !without.has(one) && isMade(entry, request, one) && about(one));
  return wish === undefined ? null : { wish, message: thrown.message };
}

/** It is the reasoning sent back that is wrong, not what was asked for: asking without would only hide that. */
const OF_THE_CONVERSATION = /cannot be modified|invalid `?signature|thought_?signature/;

/** The names that the protocols have for it, in errors about it. */
const OF_THE_CHOICE = /tool[ _]?choice|tool_?config|function_?calling_?config|forces tool use/;

function namesOne(said: string, params: JsonObject): boolean {
  const keys = keysIn(params).filter((key) => key.length >= SHORTEST_KEY);
  const words = ['thinking', 'reasoning', ...keys.flatMap((key) => [key, snakeCase(key)])];
  return words.some((word) => said.includes(word.toLowerCase()));
}

/** `type` and the like stand in errors about anything. */
const SHORTEST_KEY = 6;

function keysIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(keysIn);
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
}

/** Google's errors name `thinking_budget` what its requests name `thinkingBudget`. */
function snakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`);
}

/** The fact and the provider's words go on the record. S2-04. */
export function noted(response: ModelResponse, without: ReadonlyMap<Wish, string>): ModelResponse {
  return [...without].reduce(
    (noting, [wish, message]) => ({
      ...noting,
      raw: marked(noting.raw, { [`${wish}Rejected`]: message }),
      ...(wish === 'toolChoice' ? { toolChoiceRejected: true } : { reasoningParamsRejected: true }),
    }),
    response,
  );
}

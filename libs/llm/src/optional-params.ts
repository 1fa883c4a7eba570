import { CasefileError } from '@casefile/contracts';
import type { Clock, Json, JsonObject, ModelRequest, ModelResponse } from '@casefile/contracts';
import { marked } from './model-response.js';
import type { ProviderEntry } from './provider-entry.js';
import { outputLimitOf, reasoningParamsOf } from './thinking-room.js';
import { holdsOff, requiresCall } from './tool-calls.js';

/** Parameters that a call is repeated without when its provider rejects them: S2-04, S2-07, and a tool call that is required (S4-01). */
export const OPTIONAL_PARAMS = ['toolChoice', 'reasoningParams', 'reasoningOff'] as const;
export type OptionalParam = (typeof OPTIONAL_PARAMS)[number];

/** How long a rejected parameter is not sent to a provider. */
const REJECTED_FOR_MS = 600_000;

/** A request as it is sent, without what was rejected. */
export interface Asking {
  request: ModelRequest;
  reasoningParams: JsonObject;
}

/** Remembers what one provider rejects. */
export function createOptionalParams(entry: ProviderEntry, clock: Clock) {
  const rejected = new Map<OptionalParam, { until: number; message: string }>();
  return {
    /** What the provider is known to reject of this request, with its error message. */
    known(request: ModelRequest): Map<OptionalParam, string> {
      const known = OPTIONAL_PARAMS.flatMap((param) => {
        const entryOf = rejected.get(param);
        const holds = entryOf !== undefined && clock.now() < entryOf.until && isMade(entry, request, param);
        return holds ? [[param, entryOf.message] as const] : [];
      });
      return new Map(known);
    },
    /** Call it only after the call succeeded without them: a request that is wrong in itself must not spoil the others. */
    learn(without: ReadonlyMap<OptionalParam, string>): void {
      for (const [param, message] of without)
        if (clock.now() >= (rejected.get(param)?.until ?? 0))
          rejected.set(param, { until: clock.now() + REJECTED_FOR_MS, message });
    },
  };
}

/**
 * The request as it is sent: with room for thoughts in its limit, without what is rejected. The room stays when the
 * parameters go, for the model may think all the same. S2-06.
 */
export function asking(
  entry: ProviderEntry,
  request: ModelRequest,
  without: ReadonlyMap<OptionalParam, string>,
): Asking {
  const { toolChoice, ...unforced } = request;
  const forced = toolChoice === undefined || without.has('toolChoice') ? {} : { toolChoice };
  return {
    request: { ...unforced, ...forced, maxOutputTokens: outputLimitOf(entry, request) },
    reasoningParams: without.has(thinkingParam(request)) ? {} : reasoningParamsOf(entry, request),
  };
}

const thinkingParam = ({ reasoning = true }: ModelRequest): OptionalParam =>
  reasoning ? 'reasoningParams' : 'reasoningOff';

function isMade(entry: ProviderEntry, request: ModelRequest, param: OptionalParam): boolean {
  if (param === 'toolChoice')
    return requiresCall(request) && !holdsOff(entry, reasoningParamsOf(entry, request));
  return param === thinkingParam(request) && entry[param] !== undefined;
}

/** Which optional parameter an error is about; null: none that was sent. */
export function rejectedParam(
  thrown: unknown,
  entry: ProviderEntry,
  request: ModelRequest,
  without: ReadonlyMap<OptionalParam, string>,
): { param: OptionalParam; message: string } | null {
  if (!(thrown instanceof CasefileError) || thrown.reasonCode !== 'bad_request') return null;
  const said = `${thrown.message} ${JSON.stringify(thrown.details)}`.toLowerCase();
  if (OF_THE_CONVERSATION.test(said)) return null;
  const about = (param: OptionalParam) =>
    param === 'toolChoice' ? OF_THE_CHOICE.test(said) : namesOne(said, reasoningParamsOf(entry, request));
  const param = OPTIONAL_PARAMS.find((one) => !without.has(one) && isMade(entry, request, one) && about(one));
  return param === undefined ? null : { param, message: thrown.message };
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
export function noted(response: ModelResponse, without: ReadonlyMap<OptionalParam, string>): ModelResponse {
  return [...without].reduce(
    (noting, [param, message]) => ({
      ...noting,
      raw: marked(noting.raw, { [`${param}Rejected`]: message }),
      ...(param === 'toolChoice' ? { toolChoiceRejected: true } : { reasoningParamsRejected: true }),
    }),
    response,
  );
}

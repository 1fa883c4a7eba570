import {
  type CallOptions,
  type Json,
  type JsonObject,
  type LanguageModel,
  type ModelRequest,
  type ModelResponse,
  CasefileError,
  type Clock,
} from '@casefile/contracts';
import { exchange } from './exchange.js';
import { readAnswer, marked } from './model-response.js';
import type { MakeModel, ModelParts } from './provider.js';
import type { ProviderEntry } from './provider-entry.js';
import type { Reader } from './reading.js';
import { withinTime } from './within-time.js';
import { outputLimitOf, reasoningParamsOf } from './thinking-room.js';
import { holdsOff, requiresCall } from './tool-calls.js';

/** The header that names a call, for providers and gateways that keep it. */
export const CALL_HEADER = 'x-casefile-call';

/** One call as a protocol sends it. */
export interface Sending {
  entry: ProviderEntry;
  apiKey: string | null;
  request: ModelRequest;
  /** `reasoningParams` that go along as they are; empty: none. */
  reasoningParams: JsonObject;
  /** To be handed to the SDK in place of its own. */
  fetch: typeof fetch;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Longer than the call may take: the SDK's own limit must never be the first. */
  timeoutMs: number;
}

/** What a protocol is: how its SDK sends, and how its bodies are read. */
interface Wire extends Reader {
  /** Makes exactly one HTTP request. */
  send(sending: Sending): Promise<unknown>;
}

/** A model that speaks a protocol: time and size limits, reason codes and what can be done without are the same for all. */
export function makeAdapter(wire: Wire): MakeModel {
  return (entry, parts) => {
    const optional = createOptionalParams(entry, parts.clock);
    const ask = async (request: ModelRequest, options: CallOptions): Promise<ModelResponse> => {
      const without = optional.known(request);
      for (;;) {
        try {
          const response = await once(wire, entry, parts, asking(entry, request, without), options);
          optional.learn(without);
          return noted(response, without);
        } catch (thrown) {
          const rejected = rejectedParam(thrown, entry, request, without);
          if (rejected === null) throw thrown;
          const { param, message } = rejected;
          parts.log.warn({ provider: entry.name, callKey: options.callKey }, `${param}: ${message}`);
          without.set(param, message);
        }
      }
    };
    return {
      provider: entry.name,
      model: entry.model,
      complete: (request, options) =>
        withinTime(entry.timeoutMs, options.signal, (signal) => ask(request, { ...options, signal })),
    } satisfies LanguageModel;
  };
}

async function once(
  wire: Wire,
  entry: ProviderEntry,
  parts: ModelParts,
  { request, reasoningParams }: Asking,
  { signal, callKey, onDelta }: CallOptions,
): Promise<ModelResponse> {
  const headers = { [CALL_HEADER]: headerText(callKey) };
  const sending = { entry, apiKey: parts.apiKey, request, reasoningParams, headers, signal };
  const timeoutMs = entry.timeoutMs * 2;
  const onEvent = (event: Json) => {
    const delta = onDelta === undefined || signal.aborted ? null : wire.delta(event);
    try {
      if (delta !== null) onDelta?.(delta);
    } catch (thrown) {
      // Showing progress must not cost the answer.
      parts.log.error({ provider: entry.name, callKey, err: thrown }, 'onDelta failed');
    }
  };
  const answer = await exchange(entry, parts, { signal, onEvent }, (ownFetch) =>
    wire.send({ ...sending, fetch: ownFetch, timeoutMs }),
  );
  return readAnswer(entry, answer, wire, parts, request.messages);
}

/** Header values are visible ASCII; the rest is percent-encoded. */
function headerText(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, (character) =>
    encodeURIComponent(/[\uD800-\uDFFF]/u.test(character) ? '\uFFFD' : character),
  );
}

/** Parameters that a call is repeated without when its provider rejects them: S2-04, S2-07, and a tool call that is required (S4-01). */
const OPTIONAL_PARAMS = ['toolChoice', 'reasoningParams', 'reasoningOff'] as const;
type OptionalParam = (typeof OPTIONAL_PARAMS)[number];

/** How long a rejected parameter is not sent to a provider. */
const REJECTED_FOR_MS = 600_000;

/** A request as it is sent, without what was rejected. */
interface Asking {
  request: ModelRequest;
  reasoningParams: JsonObject;
}

/** Remembers what one provider rejects. */
function createOptionalParams(entry: ProviderEntry, clock: Clock) {
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
function asking(
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
function rejectedParam(
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
function noted(response: ModelResponse, without: ReadonlyMap<OptionalParam, string>): ModelResponse {
  return [...without].reduce(
    (noting, [param, message]) => ({
      ...noting,
      raw: marked(noting.raw, { [`${param}Rejected`]: message }),
      ...(param === 'toolChoice' ? { toolChoiceRejected: true } : { reasoningParamsRejected: true }),
    }),
    response,
  );
}

import { CasefileError } from '@casefile/contracts';
import type {
  CallOptions,
  Json,
  JsonObject,
  LanguageModel,
  ModelRequest,
  ModelResponse,
} from '@casefile/contracts';
import { exchange } from './exchange.js';
import { marked, readAnswer } from './model-response.js';
import type { MakeModel, ModelParts } from './provider.js';
import type { ProviderEntry } from './provider-entry.js';
import type { Reader } from './reading.js';
import { withinTime } from './within-time.js';

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
export interface Wire extends Reader {
  /** Makes exactly one HTTP request. */
  send(sending: Sending): Promise<unknown>;
}

/** How long a provider that rejects the `reasoningParams` is not offered them again. */
const REJECTED_FOR_MS = 600_000;

/** A model that speaks a protocol: time and size limits, reason codes and S2-04 are the same for all. */
export function makeAdapter(wire: Wire): MakeModel {
  return (entry, parts) => {
    let rejected: { until: number; message: string } | null = null;
    const ask = async (request: ModelRequest, options: CallOptions): Promise<ModelResponse> => {
      if (rejected !== null && parts.clock.now() < rejected.until)
        return noted(await once(wire, entry, parts, request, {}, options), rejected.message);
      try {
        return await once(wire, entry, parts, request, entry.reasoningParams ?? {}, options);
      } catch (thrown) {
        if (!rejects(thrown, entry.reasoningParams)) throw thrown;
        const { message } = thrown;
        parts.log.warn({ provider: entry.name, callKey: options.callKey }, `reasoningParams: ${message}`);
        const response = await once(wire, entry, parts, request, {}, options);
        // Only now: a request that is wrong in itself must not take the parameters from the others.
        rejected = { until: parts.clock.now() + REJECTED_FOR_MS, message };
        return noted(response, message);
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
  request: ModelRequest,
  reasoningParams: JsonObject,
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
  return readAnswer(entry, answer, wire, parts);
}

function rejects(thrown: unknown, params: JsonObject | undefined): thrown is CasefileError {
  if (params === undefined || !(thrown instanceof CasefileError) || thrown.reasonCode !== 'bad_request')
    return false;
  const said = `${thrown.message} ${JSON.stringify(thrown.details)}`.toLowerCase();
  if (OF_THE_CONVERSATION.test(said)) return false;
  const keys = keysIn(params).filter((key) => key.length >= SHORTEST_KEY);
  const words = ['thinking', 'reasoning', ...keys.flatMap((key) => [key, snakeCase(key)])];
  return words.some((word) => said.includes(word.toLowerCase()));
}

/** It is the reasoning sent back that is wrong, not what was asked for: asking without would only hide that. */
const OF_THE_CONVERSATION = /cannot be modified|invalid `?signature|thought_?signature/;

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

/** S2-04: the fact and the provider's words go on the record. */
function noted(response: ModelResponse, message: string): ModelResponse {
  const raw = marked(response.raw, { reasoningParamsRejected: message });
  return { ...response, raw, reasoningParamsRejected: true };
}

/** Header values are visible ASCII; the rest is percent-encoded. */
function headerText(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, (character) =>
    encodeURIComponent(/[\uD800-\uDFFF]/u.test(character) ? '\uFFFD' : character),
  );
}

import type {
  CallOptions,
  Json,
  JsonObject,
  LanguageModel,
  ModelRequest,
  ModelResponse,
} from '@casefile/contracts';
import { exchange } from './exchange.js';
import { readAnswer } from './model-response.js';
import type { MakeModel, ModelParts } from './provider.js';
import type { ProviderEntry } from './provider-entry.js';
import type { Reader } from './reading.js';
import { asking, createOptionalParams, noted, rejectedParam } from './optional-params.js';
import type { Asking } from './optional-params.js';
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

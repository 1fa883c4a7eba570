import {
  asCasefileError,
  type CallOptions,
  type Json,
  type JsonObject,
  type LanguageModel,
  type ModelRequest,
  type ModelResponse,
} from '@casefile/contracts';
import { exchange } from './exchange.js';
import { readAnswer, markResponse } from './model-response.js';
import type { MakeModel, ModelParts } from './provider.js';
import type { ProviderEntry } from './provider-entry.js';
import type { Reader } from './reading.js';
import { withinTime } from './within-time.js';
import {
  toAsking,
  createRefusalMemory,
  knownRefusals,
  learnRefusals,
  leavingOut,
  refusedParams,
  type Asking,
  type OptionalParamName,
} from './optional-params.js';
import { outputLimitOf } from './thinking-room.js';

/** Header with the id of the call, for providers and gateways that record it. */
export const CALL_HEADER = 'x-casefile-call';

/** One call as a protocol sends it. */
export interface Sending {
  entry: ProviderEntry;
  apiKey: string | null;
  request: ModelRequest;
  /** `reasoningParams` sent unchanged; empty: none. */
  reasoningParams: JsonObject;
  /** Passed to the SDK in place of its own fetch. */
  fetch: typeof fetch;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** Must exceed the time limit of the call, so that the SDK's limit never applies first. */
  timeoutMs: number;
}

/** A protocol: how its SDK sends, and how its bodies are read. */
interface Wire extends Reader {
  /** Makes exactly one HTTP request. */
  send(sending: Sending): Promise<unknown>;
}

/**
 * Creates a model that speaks a protocol. Limits of time and size, reason codes and optional parameters are
 * the same for all.
 */
export function makeAdapter(wire: Wire): MakeModel {
  return (entry, parts) => {
    const { clock, log, refusals: memory = createRefusalMemory() } = parts;
    const ask = async (request: ModelRequest, options: CallOptions): Promise<ModelResponse> => {
      const whole = toAsking(entry, request);
      const without = knownRefusals(memory.of(entry), whole, clock);
      for (;;) {
        try {
          const asking = withRoom(leavingOut(whole, without.keys()), entry);
          const response = await once(wire, asking, whole.request, parts, options);
          learnRefusals(memory, whole, without, clock);
          return notedResponse(response, without);
        } catch (thrown) {
          const refused = refusedParams(thrown, whole, without);
          if (refused.length === 0) throw thrown;
          const { message } = asCasefileError(thrown);
          log.warn({ provider: entry.name, callKey: options.callKey }, `${refused.join(', ')}: ${message}`);
          for (const param of refused) without.set(param, message);
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

/**
 * Adds room for thoughts to the output limit. The room remains if the reasoning parameters are dropped,
 * because the model may think anyway.
 */
function withRoom(asking: Asking, entry: ProviderEntry): Asking {
  const maxOutputTokens = outputLimitOf(entry, asking.request);
  return { ...asking, request: { ...asking.request, maxOutputTokens } };
}

async function once(
  wire: Wire,
  { entry, request, reasoningParams }: Asking,
  whole: ModelRequest,
  parts: ModelParts,
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
      // An error of `onDelta`, which shows progress, must not lose the answer.
      parts.log.error({ provider: entry.name, callKey, err: thrown }, 'onDelta failed');
    }
  };
  const answer = await exchange(entry, parts, { signal, onEvent }, (ownFetch) =>
    wire.send({ ...sending, fetch: ownFetch, timeoutMs }),
  );
  // Tools and earlier calls written into the prompt as text still count as tools and calls.
  return readAnswer(entry, answer, wire, parts, whole);
}

/** Header values are visible ASCII; everything else is percent-encoded. */
function headerText(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, (character) =>
    encodeURIComponent(/[\uD800-\uDFFF]/u.test(character) ? '\uFFFD' : character),
  );
}

/** Records each refused parameter with the provider's message. */
function notedResponse(
  response: ModelResponse,
  without: ReadonlyMap<OptionalParamName, string>,
): ModelResponse {
  return [...without].reduce(
    (noting, [param, message]) => ({
      ...noting,
      raw: markResponse(noting.raw, { [`${param}Rejected`]: message }),
      ...(param === 'toolChoice' && { toolChoiceRejected: true as const }),
      ...(/^reasoning/.test(param) && { reasoningParamsRejected: true as const }),
      paramsRejected: [...(noting.paramsRejected ?? []), param],
    }),
    response,
  );
}

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
import { readAnswer, marked } from './model-response.js';
import type { MakeModel, ModelParts } from './provider.js';
import type { ProviderEntry } from './provider-entry.js';
import type { Reader } from './reading.js';
import { withinTime } from './within-time.js';
import {
  askingOf,
  createRefusalMemory,
  knownRefusals,
  learnRefusals,
  leavingOut,
  refusedParams,
  type Asking,
  type OptionalParamName,
} from './optional-params.js';
import { outputLimitOf } from './thinking-room.js';

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
    const { clock, log, refusals: memory = createRefusalMemory() } = parts;
    const ask = async (request: ModelRequest, options: CallOptions): Promise<ModelResponse> => {
      const whole = askingOf(entry, request);
      const without = knownRefusals(memory.of(entry), whole, clock);
      for (;;) {
        try {
          const asking = withRoom(leavingOut(whole, without.keys()), entry);
          const response = await once(wire, asking, whole.request, parts, options);
          learnRefusals(memory, whole, without, clock);
          return noted(response, without);
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

/** With room for thoughts in its limit, which stays when the parameters go: the model may think all the same. S2-06. */
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
      // Showing progress must not cost the answer.
      parts.log.error({ provider: entry.name, callKey, err: thrown }, 'onDelta failed');
    }
  };
  const answer = await exchange(entry, parts, { signal, onEvent }, (ownFetch) =>
    wire.send({ ...sending, fetch: ownFetch, timeoutMs }),
  );
  // Tools and earlier calls that stand in the prompt as text are tools and calls all the same.
  return readAnswer(entry, answer, wire, parts, whole);
}

/** Header values are visible ASCII; the rest is percent-encoded. */
function headerText(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, (character) =>
    encodeURIComponent(/[\uD800-\uDFFF]/u.test(character) ? '\uFFFD' : character),
  );
}

/** The fact and the provider's words go on the record. S2-04. */
function noted(response: ModelResponse, without: ReadonlyMap<OptionalParamName, string>): ModelResponse {
  return [...without].reduce(
    (noting, [param, message]) => ({
      ...noting,
      raw: marked(noting.raw, { [`${param}Rejected`]: message }),
      ...(param === 'toolChoice' && { toolChoiceRejected: true as const }),
      ...(/^reasoning/.test(param) && { reasoningParamsRejected: true as const }),
      paramsRejected: [...(noting.paramsRejected ?? []), param],
    }),
    response,
  );
}

import { CasefileError } from '@casefile/contracts';
import type { CallOptions, Json, JsonObject, ModelRequest, ModelResponse } from '@casefile/contracts';
import { chatRequest } from '../openai/chat-request.js';
import { readChatResponse } from '../openai/chat-response.js';
import { chatSender } from '../openai/client.js';
import type { SendChat } from '../openai/client.js';
import type { MakeModel, ModelParts } from '../provider.js';
import type { ProviderEntry } from '../provider-entry.js';
import { withinTime } from '../within-time.js';

/** OpenAI's chat completions, and every server that speaks them. */
export const openAiChat: MakeModel = (entry, parts) => {
  const send = chatSender(entry, parts);
  return {
    provider: entry.name,
    model: entry.model,
    complete: (request, options) =>
      withinTime(entry.timeoutMs, options.signal, (signal) =>
        ask(entry, parts, send, request, { ...options, signal }),
      ),
  };
};

/** S2-04: parameters that the provider rejects are left out in a second try; `raw.reasoningParamsRejected` says so. */
async function ask(
  entry: ProviderEntry,
  parts: ModelParts,
  send: SendChat,
  request: ModelRequest,
  options: CallOptions,
): Promise<ModelResponse> {
  try {
    return readChatResponse(entry, await send(chatRequest(entry, request, true), options), parts);
  } catch (thrown) {
    if (!rejects(thrown, entry.reasoningParams)) throw thrown;
    parts.log.warn(
      { provider: entry.name, callKey: options.callKey },
      `reasoningParams rejected: ${thrown.message}`,
    );
    const response = readChatResponse(entry, await send(chatRequest(entry, request, false), options), parts);
    return { ...response, raw: noted(response.raw, thrown.message) };
  }
}

function rejects(thrown: unknown, params: JsonObject | undefined): thrown is CasefileError {
  if (params === undefined || !(thrown instanceof CasefileError) || thrown.reasonCode !== 'bad_request')
    return false;
  const said = `${thrown.message} ${JSON.stringify(thrown.details)}`.toLowerCase();
  return keysIn(params).some((key) => said.includes(key.toLowerCase()));
}

function keysIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(keysIn);
  return Object.entries(value).flatMap(([key, inner]) => [key, ...keysIn(inner)]);
}

function noted(raw: Json, message: string): Json {
  const body = typeof raw === 'object' && raw !== null && !Array.isArray(raw) ? raw : { body: raw };
  return { ...body, reasoningParamsRejected: message };
}

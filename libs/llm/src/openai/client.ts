import OpenAI, { APIConnectionTimeoutError, APIError } from 'openai';
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import { CasefileError } from '@casefile/contracts';
import { boundedFetch } from '../bounded-fetch.js';
import { httpError } from '../http-failure.js';
import type { ModelParts } from '../provider.js';
import type { ProviderEntry } from '../provider-entry.js';

/** The header that names a call, for providers and gateways that keep it. */
export const CALL_HEADER = 'x-casefile-call';

/** A response whose body was read whole. */
export interface RawAnswer {
  text: string;
  contentType: string;
}

/** Sends one chat completion: exactly one HTTP request. @throws CasefileError as the LanguageModel port says. */
export type SendChat = (
  params: ChatCompletionCreateParamsNonStreaming,
  call: { signal: AbortSignal; callKey: string },
) => Promise<RawAnswer>;

/** The official SDK without its own retries, its log and what it would take from the environment. */
export function chatSender(entry: ProviderEntry, parts: ModelParts): SendChat {
  const client = new OpenAI({
    apiKey: parts.apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: entry.baseUrl,
    maxRetries: 0,
    timeout: entry.timeoutMs,
    logLevel: 'off',
    fetch: unwrapped(boundedFetch(parts.fetch, entry.limits.responseBytes)),
    ...(parts.apiKey === null && { defaultHeaders: { Authorization: null } }),
  });
  return async (params, { signal, callKey }) => {
    try {
      const headers = { [CALL_HEADER]: headerText(callKey) };
      const response = await client.chat.completions.create(params, { signal, headers }).asResponse();
      return { text: await response.text(), contentType: response.headers.get('content-type') ?? '' };
    } catch (thrown) {
      throw asPortError(thrown, entry.name, parts);
    }
  };
}

/** Gemini's compatible endpoint wraps a failure in an array, where the SDK does not find it. */
function unwrapped(inner: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await inner(input, init);
    if (response.ok) return response;
    const text = await response.text();
    const body = text.trimStart().startsWith('[') ? text.trim().slice(1, -1) : text;
    return new Response(body, { status: response.status, headers: response.headers });
  };
}

function asPortError(thrown: unknown, provider: string, parts: ModelParts): CasefileError {
  if (thrown instanceof CasefileError) return thrown;
  if (thrown instanceof Error && thrown.cause instanceof CasefileError) return thrown.cause;
  if (thrown instanceof APIError && thrown.status !== undefined) return statusError(thrown, provider, parts);
  const timedOut = thrown instanceof APIConnectionTimeoutError;
  const reason = timedOut ? 'timeout' : 'network';
  const message = `${provider} could not be reached: ${rootMessage(thrown)}`;
  return new CasefileError(reason, message, { retryable: true, cause: thrown });
}

function statusError(thrown: APIError, provider: string, parts: ModelParts): CasefileError {
  const said = messageOf(thrown.error) ?? thrown.message;
  const failure = {
    provider,
    status: thrown.status ?? 0,
    codes: [thrown.code, thrown.type, thrown.param].filter((code) => typeof code === 'string'),
    // Some providers repeat the key they refuse.
    message: parts.apiKey === null ? said : said.replaceAll(parts.apiKey, '(key)'),
    headers: thrown.headers ?? new Headers(),
  };
  return httpError(failure, parts.clock.now());
}

function messageOf(error: unknown): string | undefined {
  const message: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, 'message') : undefined;
  return typeof message === 'string' ? message : undefined;
}

function rootMessage(thrown: unknown): string {
  let error = thrown;
  while (error instanceof Error && error.cause instanceof Error) error = error.cause;
  return error instanceof Error ? error.message : String(error);
}

/** Header values are visible ASCII; the rest is percent-encoded. */
function headerText(text: string): string {
  return text.replace(/[^\x21-\x7e]/gu, (character) =>
    encodeURIComponent(/[\uD800-\uDFFF]/u.test(character) ? '\uFFFD' : character),
  );
}

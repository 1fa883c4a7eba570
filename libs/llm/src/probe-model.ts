import { isObject, asCasefileError, UnusableAnswer, type Clock, type Json } from '@casefile/contracts';
import { createLanguageModel } from './create-language-model.js';
import { listOf, partOf, textIn } from './json-parts.js';
import type { RefusalMemory } from './optional-params.js';
import type { Protocol } from './provider-entry.js';
import type { ResolvedProvider } from './provider-table.js';
import { withinTime } from './within-time.js';

/** Result of testing whether a model answers. */
export interface ModelProbe {
  provider: string;
  model: string;
  answers: boolean;
  /** Duration in milliseconds. */
  ms: number;
  /** Reason for the failure, in words for people: `connection refused`; null: the model answers. */
  why: string | null;
}

export interface ProbeOptions {
  clock: Clock;
  fetch?: typeof fetch;
  /** Memory for the parameters that the server refuses. Default: none. */
  refusals?: RefusalMemory;
  /** Time limit in milliseconds. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 5_000;
/** Statuses of a server without a list of models. */
const NO_LIST = [404, 405, 501];

/**
 * Tests once whether the provider's server is reachable, accepts the key and has the model. It reads the list
 * of models, which is free; it asks for a tiny completion only if there is no list. Never throws.
 */
export async function probeModel(
  { entry, apiKey }: ResolvedProvider,
  { clock, fetch: ownFetch = fetch, timeoutMs = TIMEOUT_MS }: ProbeOptions,
): Promise<ModelProbe> {
  const started = clock.now();
  const { name: provider, model } = entry;
  const at: ProbeRequest = { entry, apiKey, ownFetch, clock };
  const why = await withinTime(timeoutMs, new AbortController().signal, (signal) =>
    whyNot({ ...at, signal }),
  ).catch((thrown: unknown) => wordsFor(thrown, timeoutMs));
  return { provider, model, answers: why === null, ms: Math.round(clock.now() - started), why };
}

interface ProbeRequest extends Pick<ResolvedProvider, 'entry' | 'apiKey'> {
  ownFetch: typeof fetch;
  clock: Clock;
  signal?: AbortSignal;
}

async function whyNot(at: ProbeRequest): Promise<string | null> {
  const { list, one } = probeRequestPlaces(at);
  const listed = await get(at, list);
  if (NO_LIST.includes(listed.status)) return complete(at);
  if (!listed.ok) return wordsForStatus(listed.status, listed.body);
  if (idsIn(listed.body).includes(at.entry.model)) return null;
  // The list may omit aliases and models beyond its first page, so the model is also requested by name.
  return (await get(at, one)).ok ? null : `unknown model: ${at.entry.model} is not among its models`;
}

interface Places {
  list: string;
  one: string;
}

function probeRequestPlaces({ entry: { protocol, baseUrl, model } }: ProbeRequest): Places {
  const list = protocol === 'anthropic' ? `${baseUrl.replace(/\/v1$/, '')}/v1/models` : `${baseUrl}/models`;
  return { list, one: `${list}/${encodeURIComponent(model)}` };
}

const KEY_HEADERS: Record<Protocol, (key: string) => Record<string, string>> = {
  'openai-chat': (key) => ({ authorization: `Bearer ${key}` }),
  'openai-responses': (key) => ({ authorization: `Bearer ${key}` }),
  anthropic: (key) => ({ 'x-api-key': key }),
  gemini: (key) => ({ 'x-goog-api-key': key }),
};

async function get({ entry: { protocol }, apiKey, ownFetch, signal }: ProbeRequest, url: string) {
  const headers = {
    ...(apiKey === null ? {} : KEY_HEADERS[protocol](apiKey)),
    ...(protocol === 'anthropic' && { 'anthropic-version': '2023-06-01' }),
  };
  const response = await ownFetch(url, { headers, redirect: 'manual', ...(signal && { signal }) });
  const text = await response.text();
  return { ok: response.ok, status: response.status, body: parsedText(text) };
}

function parsedText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

function idsIn(body: Json): string[] {
  const items = [...listOf(partOf(body, 'data')), ...listOf(partOf(body, 'models'))].filter(isObject);
  return items.flatMap((item) => [textIn(item, 'id'), textIn(item, 'name').replace(/^models\//, '')]);
}

/**
 * Returns the structured-output and reasoning parameters that a self-hosted server of chat completions
 * refuses. Sends one tiny completion, and only if no key is configured, so that the test is free. Never
 * throws.
 */
export async function probeParams(
  { entry, apiKey }: ResolvedProvider,
  { clock, fetch: ownFetch, timeoutMs = PARAMS_TIMEOUT_MS, refusals }: ProbeOptions,
): Promise<string[]> {
  const isPriced = Object.keys(entry.prices).length > 0;
  if (apiKey !== null || isPriced || entry.structuredOutput === 'none') return [];
  const model = createLanguageModel(entry, {
    apiKey,
    clock,
    ...(ownFetch && { fetch: ownFetch }),
    ...(refusals && { refusals }),
  });
  const request = { ...SMALLEST, maxOutputTokens: 64, answerSchema: SMALLEST_ANSWER, temperature: 0 };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const { paramsRejected = [] } = await model.complete(request, { signal, callKey: 'probe' });
    return paramsRejected;
  } catch {
    // `probeModel` ran before and tested whether the model answers.
    return [];
  }
}

/** A server that first has to load its model takes long. */
const PARAMS_TIMEOUT_MS = 30_000;
const SMALLEST = {
  promptId: 'probe@1',
  kind: 'answer' as const,
  maxOutputTokens: 16,
  reasoning: false,
  messages: [{ role: 'user' as const, content: 'Say OK.' }],
};
const SMALLEST_ANSWER = {
  name: 'probe',
  schema: {
    type: 'object',
    properties: { ok: { type: 'boolean' } },
    required: ['ok'],
    additionalProperties: false,
  },
};

/** Sends the smallest possible request, for a server without a list of models. */
async function complete({ entry, apiKey, ownFetch, clock, signal }: ProbeRequest): Promise<string | null> {
  const model = createLanguageModel(entry, { apiKey, clock, fetch: ownFetch });
  try {
    await model.complete(SMALLEST, { signal: signal ?? new AbortController().signal, callKey: 'probe' });
  } catch (thrown) {
    // An unusable answer still shows that the model answers.
    if (!(thrown instanceof UnusableAnswer)) throw thrown;
  }
  return null;
}

function wordsForStatus(status: number, body: Json): string {
  const isKey = status === 401 || status === 403 || JSON.stringify(body).includes('API_KEY_INVALID');
  if (isKey) return `key refused (HTTP ${status})`;
  return status === 429 ? 'too many requests (HTTP 429)' : `HTTP ${status}`;
}

const CODES: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  ECONNRESET: 'connection reset',
};
const REASONS: Record<string, string> = {
  bad_key: 'key refused',
  quota_exhausted: 'the quota of the key is used up',
  rate_limited: 'too many requests',
};
/** Error cause that `fetch` reports for ports it always refuses: 4190, 6000, 10080 and others. */
const BARRED = 'bad port';

function wordsFor(thrown: unknown, timeoutMs: number): string {
  let cause: unknown = thrown;
  while (typeof cause === 'object' && cause !== null) {
    const { code, message, cause: inner } = cause as { code?: unknown; message?: unknown; cause?: unknown };
    if (message === BARRED) return 'bad port: requests to it are barred; serve the model on another port';
    if (typeof code === 'string' && CODES[code] !== undefined) return CODES[code];
    cause = inner;
  }
  const { reasonCode, message } = asCasefileError(thrown);
  return reasonCode === 'timeout'
    ? `no answer within ${timeoutMs / 1000} s`
    : reasonCode === 'unknown_model'
      ? `unknown model: ${message}`
      : (REASONS[reasonCode] ?? message);
}

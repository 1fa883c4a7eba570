import { CasefileError, type ReasonCode, isObject, type Json } from '@casefile/contracts';
import { storableText } from './storable.js';
import { listOf, partOf, textIn, textOf } from './json-parts.js';

/** A provider's response if it is not an answer. */
export interface HttpFailure {
  provider: string;
  status: number;
  /** The provider's own error codes: `insufficient_quota`, `content_filter`, ... */
  codes: string[];
  message: string;
  headers: { get(name: string): string | null };
  /** Waiting time that the body states, used if no header states one. */
  retryAfterMs?: number | null;
}

// A daily quota (Google's `...PerDay...`) does not reset within the time a case has.
const QUOTA =
  /insufficient_quota|billing|insufficient_balance|quota_exhausted|credit_balance|spend_limit|PerDay/;
/** Anthropic has no error code for an account without credit. */
const NO_MONEY = /credit balance is too low/i;
const BAD_KEY = /API_KEY_INVALID|invalid_api_key|authentication_error/;
const REFUSAL = /content_filter|content_policy|safety/;
const MESSAGE_LENGTH = 500;
/** No case waits longer than a day for a model; a larger value is an error of the provider. */
const LONGEST_WAIT_MS = 86_400_000;

/**
 * Converts a failure to a reason code of the LanguageModel port. A step may retry 408, 429, 5xx and 529. It
 * may not retry an exhausted quota or a bad key (reliability.md 6).
 * @param now milliseconds since the epoch, for a `Retry-After` that is a date.
 */
export function httpError(failure: HttpFailure, now: number): CasefileError {
  const { reasonCode, retryable } = classify(failure);
  const retryAfterMs = retryable ? retryAfter(failure, now) : undefined;
  const said = storableText(failure.message).slice(0, MESSAGE_LENGTH);
  return new CasefileError(reasonCode, `${failure.provider} answered ${failure.status}: ${said}`, {
    retryable,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    details: { status: failure.status, codes: failure.codes },
  });
}

function classify({ status, codes, message }: HttpFailure): { reasonCode: ReasonCode; retryable: boolean } {
  const words = codes.join(' ');
  if (status === 402 || QUOTA.test(words) || (status < 500 && NO_MONEY.test(message)))
    return { reasonCode: 'quota_exhausted', retryable: false };
  if (REFUSAL.test(words)) return { reasonCode: 'refused', retryable: false };
  if (status >= 400 && status < 500 && saysNoModel(status, words, message))
    return { reasonCode: 'unknown_model', retryable: false };
  if (status === 401 || status === 403 || (status === 400 && BAD_KEY.test(words)))
    return { reasonCode: 'bad_key', retryable: false };
  if (status === 429) return { reasonCode: 'rate_limited', retryable: true };
  if (status === 408) return { reasonCode: 'timeout', retryable: true };
  if (status >= 500) return { reasonCode: 'server_error', retryable: true };
  if (status < 400) return { reasonCode: 'bad_answer', retryable: false };
  return { reasonCode: 'bad_request', retryable: false };
}

/** Error codes for an unknown model: OpenAI and Groq, Azure, Together, LM Studio. */
const NO_MODEL_CODE =
  /model_not_(?:found|available|exist\w*)|DeploymentNotFound|invalid_model|unknown_model|ModelNotFound/i;
/** Words by which a message refers to a model, for servers without such an error code. */
const A_MODEL = /\b(?:models?|deployment)\b/i;
const NOT_THERE =
  /not (?:be )?found|not exist|not a valid|not available|not deployed|not loaded|(?:no such|unknown|invalid|nonexistent|non-existent) model|decommissioned|retired|deprecated|no models? (?:is )?loaded/i;
/** Words of a 400 that is about another part of the request. */
const OF_THE_REQUEST = /support|param|schema|format|messages?\b|\btools?\b|field|not available/i;
/** Anthropic's message contains only the model's name: `model: claude-x`. */
const MODEL_ALONE = /^model: \S+$/;

function saysNoModel(status: number, words: string, message: string): boolean {
  if (NO_MODEL_CODE.test(words)) return true;
  if (status === 403) return /\baccess to (?:the )?model\b/i.test(message);
  const isMissing = A_MODEL.test(message) && NOT_THERE.test(message);
  if (status === 404) return isMissing || MODEL_ALONE.test(message.trim());
  return (status === 400 || status === 422) && isMissing && !OF_THE_REQUEST.test(message);
}

/**
 * Reads `retry-after-ms` in milliseconds, `retry-after` in seconds or as a date, else the time in the body.
 */
function retryAfter({ headers, retryAfterMs }: HttpFailure, now: number): number | undefined {
  const exact = figure(headers.get('retry-after-ms'));
  if (exact !== undefined) return boundedMs(exact);
  const header = headers.get('retry-after');
  const seconds = figure(header);
  if (seconds !== undefined) return boundedMs(seconds * 1000);
  const date = Date.parse(header ?? '');
  if (!Number.isNaN(date)) return boundedMs(date - now);
  return typeof retryAfterMs === 'number' ? boundedMs(retryAfterMs) : undefined;
}

function figure(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function boundedMs(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), LONGEST_WAIT_MS);
}

/** A provider's error body, read from any of the known shapes. */
export interface FailureBody {
  message: string;
  /** The provider's own error codes: `insufficient_quota`, `overloaded_error`, `API_KEY_INVALID`, ... */
  codes: string[];
  /** Status inside the body, from routers that answer 200; null: none. */
  status: number | null;
  /** Waiting time that the body asks for; null: none. */
  retryAfterMs: number | null;
}

/** HTTP status for each error word, for failures inside a 200 or a stream. */
const STATUS_OF_WORD: Record<string, number> = {
  invalid_request_error: 400,
  invalid_prompt: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  timeout_error: 408,
  overloaded_error: 529,
};

/**
 * Known shapes: `{error: {message, type, code, param, status, details}}`, the same in a list (Gemini's
 * compatible endpoint), `{error: 'text'}` (Ollama), `{message}` and `{detail}` (vLLM), and plain text.
 */
export function readFailure(text: string): FailureBody {
  const body = parsedText(text);
  const whole = Array.isArray(body) ? body[0] : body;
  const error = partOf(whole, 'error') ?? whole;
  const details = listOf(partOf(error, 'details'));
  const code = partOf(error, 'code');
  const codes = [
    ...['code', 'type', 'param', 'status'].map((key) => textIn(error, key)),
    ...details.flatMap(codesOfDetail),
  ].filter((word) => word !== '');
  return {
    message: messageIn(error) || messageIn(whole) || text.trim(),
    codes,
    status: typeof code === 'number' && code >= 400 && code < 600 ? Math.trunc(code) : codeStatus(codes),
    retryAfterMs: details.map(detailDelay).find((delay) => delay !== null) ?? null,
  };
}

/** Returns whether the body is a failure in place of an answer. Routers and streams put failures in a 200. */
export function isFailure(body: Json): boolean {
  const whole = Array.isArray(body) ? body[0] : body;
  const error = partOf(whole, 'error');
  if (textIn(whole, 'type') === 'error') return true;
  return isObject(error) || (typeof error === 'string' && error !== '');
}

function codeStatus(codes: string[]): number | null {
  const word = codes.find((code) => Object.hasOwn(STATUS_OF_WORD, code));
  return word === undefined ? null : (STATUS_OF_WORD[word] ?? null);
}

function parsedText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

function messageIn(from: Json | undefined): string {
  return textOf(from) || textIn(from, 'message') || textIn(from, 'detail');
}

/** Google's codes: `ErrorInfo` has a reason, `QuotaFailure` the ids of the quotas. */
function codesOfDetail(detail: Json): string[] {
  const quotas = listOf(partOf(detail, 'violations')).map((violation) => textIn(violation, 'quotaId'));
  return [textIn(detail, 'reason'), ...quotas];
}

/** Google's `RetryInfo`, for example `34s` or `0.5s`. */
function detailDelay(detail: Json): number | null {
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(textIn(detail, 'retryDelay'))?.[1];
  return seconds === undefined ? null : Number(seconds) * 1000;
}

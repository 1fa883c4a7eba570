import { isObject, type Json } from '@casefile/contracts';
import { listOf, partOf, textIn, textOf } from './json-parts.js';

/** What a provider says of a failure, in whichever of the known shapes. */
export interface FailureBody {
  message: string;
  /** Its own words for it: `insufficient_quota`, `overloaded_error`, `API_KEY_INVALID`, ... */
  codes: string[];
  /** A status inside the body, of routers that answer 200; null: none. */
  status: number | null;
  /** What it asks to be waited, when it says so in the body. */
  retryAfterMs: number | null;
}

/** Where a failure comes inside a 200 or a stream, its word stands for the status it would have had. */
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
 * Known: `{error: {message, type, code, param, status, details}}`, the same in a list (Gemini's compatible endpoint),
 * `{error: 'text'}` (Ollama), `{message}` and `{detail}` (vLLM), and plain text.
 */
export function readFailure(text: string): FailureBody {
  const body = parsed(text);
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
    status: typeof code === 'number' && code >= 400 && code < 600 ? Math.trunc(code) : statusOf(codes),
    retryAfterMs: details.map(delayOf).find((delay) => delay !== null) ?? null,
  };
}

/** Is this a failure where an answer was expected? Routers and streams put one in a 200. */
export function isFailure(body: Json): boolean {
  const whole = Array.isArray(body) ? body[0] : body;
  const error = partOf(whole, 'error');
  if (textIn(whole, 'type') === 'error') return true;
  return isObject(error) || (typeof error === 'string' && error !== '');
}

function statusOf(codes: string[]): number | null {
  const word = codes.find((code) => Object.hasOwn(STATUS_OF_WORD, code));
  return word === undefined ? null : (STATUS_OF_WORD[word] ?? null);
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

function messageIn(from: Json | undefined): string {
  return textOf(from) || textIn(from, 'message') || textIn(from, 'detail');
}

/** Google's: `ErrorInfo` has a reason, `QuotaFailure` the ids of the quotas. */
function codesOfDetail(detail: Json): string[] {
  const quotas = listOf(partOf(detail, 'violations')).map((violation) => textIn(violation, 'quotaId'));
  return [textIn(detail, 'reason'), ...quotas];
}

/** Google's `RetryInfo`: `34s`, `0.5s`. */
function delayOf(detail: Json): number | null {
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(textIn(detail, 'retryDelay'))?.[1];
  return seconds === undefined ? null : Number(seconds) * 1000;
}

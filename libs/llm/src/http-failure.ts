import { CasefileError, type ReasonCode } from '@casefile/contracts';
import { storableText } from './storable.js';

/** What a provider said when it did not answer. */
export interface HttpFailure {
  provider: string;
  status: number;
  /** The provider's own words for it: `insufficient_quota`, `content_filter`, ... */
  codes: string[];
  message: string;
  headers: { get(name: string): string | null };
  /** What the body asks to be waited, where no header says it. */
  retryAfterMs?: number | null;
}

// A quota of the day (Google's `...PerDay...`) is not over in the time a case has.
const QUOTA =
  /insufficient_quota|billing|insufficient_balance|quota_exhausted|credit_balance|spend_limit|PerDay/;
/** Anthropic has no code for an account without money. */
const NO_MONEY = /credit balance is too low/i;
const BAD_KEY = /API_KEY_INVALID|invalid_api_key|authentication_error/;
const REFUSAL = /content_filter|content_policy|safety/;
const MESSAGE_LENGTH = 500;
/** Nobody waits longer than a day for a model; a larger figure is nonsense. */
const LONGEST_WAIT_MS = 86_400_000;

/**
 * A failure as one of the reason codes of the LanguageModel port. reliability.md 6: 408, 429, 5xx and 529 may be
 * tried again, an exhausted quota or a bad key may not.
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

/** Codes of a model that is not there: OpenAI and Groq, Azure, Together, LM Studio. */
const NO_MODEL_CODE =
  /model_not_(?:found|available|exist\w*)|DeploymentNotFound|invalid_model|unknown_model|ModelNotFound/i;
/** Words of servers that have no code for it; the message is about a model then. */
const A_MODEL = /\b(?:models?|deployment)\b/i;
const NOT_THERE =
  /not (?:be )?found|not exist|not a valid|not available|not deployed|not loaded|(?:no such|unknown|invalid|nonexistent|non-existent) model|decommissioned|retired|deprecated|no models? (?:is )?loaded/i;
/** Words of a 400 that is about something else of the request. */
const OF_THE_REQUEST = /support|param|schema|format|messages?\b|\btools?\b|field|not available/i;
/** Anthropic names the model and no more: `model: claude-x`. */
const MODEL_ALONE = /^model: \S+$/;

function saysNoModel(status: number, words: string, message: string): boolean {
  if (NO_MODEL_CODE.test(words)) return true;
  if (status === 403) return /\baccess to (?:the )?model\b/i.test(message);
  const isMissing = A_MODEL.test(message) && NOT_THERE.test(message);
  if (status === 404) return isMissing || MODEL_ALONE.test(message.trim());
  return (status === 400 || status === 422) && isMissing && !OF_THE_REQUEST.test(message);
}

/** `retry-after-ms` in milliseconds, `retry-after` in seconds or as a date, else what the body says. */
function retryAfter({ headers, retryAfterMs }: HttpFailure, now: number): number | undefined {
  const exact = figure(headers.get('retry-after-ms'));
  if (exact !== undefined) return bounded(exact);
  const given = headers.get('retry-after');
  const seconds = figure(given);
  if (seconds !== undefined) return bounded(seconds * 1000);
  const date = Date.parse(given ?? '');
  if (!Number.isNaN(date)) return bounded(date - now);
  return typeof retryAfterMs === 'number' ? bounded(retryAfterMs) : undefined;
}

function figure(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function bounded(ms: number): number {
  return Math.min(Math.max(0, Math.ceil(ms)), LONGEST_WAIT_MS);
}

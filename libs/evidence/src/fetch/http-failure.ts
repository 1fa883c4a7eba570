import { CasefileError, type Clock } from '@casefile/contracts';

/** The error an HTTP status stands for, when it is not an answer. */
export function statusFailure(status: number, headers: Headers, host: string, clock: Clock): CasefileError {
  const details = { host, status };
  const retryAfterMs = retryAfter(headers, clock);
  if (status === 401 || status === 403) {
    return new CasefileError('bad_key', `${host} refuses the key (HTTP ${status})`, { details });
  }
  if (status === 402) {
    return new CasefileError('quota_exhausted', `${host} says the account has nothing left (HTTP 402)`, {
      details,
    });
  }
  if (status === 429) {
    const facts = { retryable: true, retryAfterMs, details };
    return new CasefileError('rate_limited', `${host} asks for fewer requests (HTTP 429)`, facts);
  }
  if (status >= 500 || status === 408) {
    const facts = { retryable: true, retryAfterMs, details };
    return new CasefileError('server_error', `${host} answered with HTTP ${status}`, facts);
  }
  return new CasefileError('bad_answer', `${host} answered with HTTP ${status}`, { details });
}

/** What broke a connection, as a CasefileError; one that was thrown on purpose further down is handed on. */
export function connectionFailure(thrown: unknown, host: string, signal: AbortSignal): CasefileError {
  if (signal.aborted) return abortFailure(signal, host);
  const chain = causesOf(thrown);
  const own = chain.find((cause) => cause instanceof CasefileError);
  if (own !== undefined) return own;
  const code = chain.map(codeOf).find((each) => each !== '') ?? 'unknown';
  if (/TIMEOUT|TIMEDOUT/.test(code)) {
    const facts = { retryable: true, details: { host, code }, cause: thrown };
    return new CasefileError('timeout', `${host} did not answer in time`, facts);
  }
  const facts = { retryable: true, details: { host, code }, cause: thrown };
  return new CasefileError('network', `The connection to ${host} failed (${code})`, facts);
}

// An error of undici holds what happened as its cause, sometimes as the cause of that.
function causesOf(thrown: unknown): unknown[] {
  const chain: unknown[] = [];
  for (let cause = thrown; isObject(cause) && chain.length < 8; cause = cause['cause']) chain.push(cause);
  return chain;
}

function abortFailure(signal: AbortSignal, host: string): CasefileError {
  const reason: unknown = signal.reason;
  if (reason instanceof CasefileError) return reason;
  if (isObject(reason) && reason['name'] === 'TimeoutError') {
    return new CasefileError('timeout', `${host} did not answer in time`, { retryable: true, cause: reason });
  }
  return new CasefileError('aborted', `The request to ${host} was called off`, { cause: reason });
}

function codeOf(error: unknown): string {
  return isObject(error) && typeof error['code'] === 'string' ? error['code'] : '';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

// RFC 9110: seconds, or a date.
function retryAfter(headers: Headers, clock: Clock): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock.now());
}

import { isObject, CasefileError, type Clock } from '@casefile/contracts';

/** Error for an HTTP status that is not an answer. */
export function statusFailure(status: number, headers: Headers, host: string, clock: Clock): CasefileError {
  const details = { host, status };
  const retryAfterMs = retryAfter(headers, clock);
  if (status === 401 || status === 403) {
    return new CasefileError('bad_key', `${host} refuses the key (HTTP ${status})`, { details });
  }
  if (status === 402) {
    return new CasefileError(
      'quota_exhausted',
      `${host} reports that the account has no credit left (HTTP 402)`,
      {
        details,
      },
    );
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

/**
 * Converts a connection error to a CasefileError. A CasefileError thrown further down is returned unchanged.
 */
export function connectionFailure(thrown: unknown, host: string, signal: AbortSignal): CasefileError {
  if (signal.aborted) return abortFailure(signal, host);
  const chain = thrownCauses(thrown);
  const own = chain.find((cause) => cause instanceof CasefileError);
  if (own !== undefined) return own;
  const code = chain.map(errorCode).find((each) => each !== '') ?? 'unknown';
  if (/TIMEOUT|TIMEDOUT/.test(code)) {
    const facts = { retryable: true, details: { host, code }, cause: thrown };
    return new CasefileError('timeout', `${host} did not answer in time`, facts);
  }
  const facts = { retryable: true, details: { host, code }, cause: thrown };
  return new CasefileError('network', `The connection to ${host} failed (${code})`, facts);
}

// Causes of an error: undici's errors hold the actual error as their cause, sometimes nested.
function thrownCauses(thrown: unknown): unknown[] {
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
  return new CasefileError('aborted', `The request to ${host} was cancelled`, { cause: reason });
}

function errorCode(error: unknown): string {
  return isObject(error) && typeof error['code'] === 'string' ? error['code'] : '';
}

/** Reads Retry-After (RFC 9110: seconds, or a date), in milliseconds from now; undefined: none is readable. */
export function retryAfter(headers: Headers, clock: Clock): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock.now());
}

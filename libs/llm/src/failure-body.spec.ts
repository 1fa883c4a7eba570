import { CasefileError } from '@casefile/contracts';
import { isFailure, readFailure, httpError } from './http-failure.js';

/** What the port says of a failure with this status and body. */
function said(status: number, body: unknown): CasefileError {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { message, codes, retryAfterMs } = readFailure(text);
  return httpError({ provider: 'p', status, codes, message, retryAfterMs, headers: new Headers() }, 0);
}

const google = (status: string, details: object[] = []) => ({
  error: { code: 429, message: 'm', status, details },
});

describe('what providers say of failures', () => {
  it.each([
    ['OpenAI', 429, { error: { message: 'm', type: 'insufficient_quota', code: null } }, 'quota_exhausted'],
    ['OpenAI', 429, { error: { message: 'm', code: 'rate_limit_exceeded' } }, 'rate_limited'],
    ['Anthropic', 400, anthropic('Your credit balance is too low'), 'quota_exhausted'],
    ['Anthropic', 402, anthropic('m', 'billing_error'), 'quota_exhausted'],
    ['Anthropic', 529, anthropic('m', 'overloaded_error'), 'server_error'],
    ['Gemini', 400, google('INVALID_ARGUMENT', [{ reason: 'API_KEY_INVALID' }]), 'bad_key'],
    ['Gemini', 429, google('RESOURCE_EXHAUSTED'), 'rate_limited'],
    [
      'Gemini, for the day',
      429,
      google('RESOURCE_EXHAUSTED', [{ violations: [{ quotaId: 'GenerateRequestsPerDayPerProject' }] }]),
      'quota_exhausted',
    ],
    ["Gemini's compatible endpoint", 429, [google('RESOURCE_EXHAUSTED')], 'rate_limited'],
    ['DeepSeek', 402, { error: { message: 'Insufficient Balance' } }, 'quota_exhausted'],
    [
      'vLLM',
      400,
      { object: 'error', message: 'too long', type: 'BadRequestError', code: 400 },
      'bad_request',
    ],
    ['FastAPI', 404, { detail: 'Not Found' }, 'bad_request'],
    ['Ollama', 404, { error: 'model "x" not found' }, 'unknown_model'],
    ['a proxy', 502, '<html>Bad Gateway</html>', 'server_error'],
    ['nobody', 500, '', 'server_error'],
  ])('%s, %s: %j is %s', (_who, status, body, reasonCode) => {
    const error = said(status, body);
    expect(error.reasonCode).toBe(reasonCode);
    if (['quota_exhausted', 'bad_key'].includes(reasonCode)) expect(error.retryable).toBe(false);
  });

  it('waits as long as Google says in the body', () => {
    const body = google('RESOURCE_EXHAUSTED', [{ retryDelay: '34.5s' }]);
    expect(said(429, body).retryAfterMs).toBe(34_500);
  });

  it('keeps the words of the provider', () => {
    expect(said(400, { error: 'model "x" not found' }).message).toContain('model "x" not found');
    expect(said(404, { detail: 'Not Found' }).message).toContain('Not Found');
  });

  it.each([
    [{ error: { message: 'm' } }, true],
    [{ error: 'm' }, true],
    [{ type: 'error', code: 'server_error', message: 'm' }, true],
    [[{ error: {} }], true],
    [{ error: null, output: [] }, false],
    [{ error: '' }, false],
    [{ choices: [] }, false],
    ['error', false],
  ])('%j is a failure: %s', (body, expected) => {
    expect(isFailure(body)).toBe(expected);
  });

  it.each([
    ['rate_limit_error', 429],
    ['overloaded_error', 529],
    ['constructor', null],
  ])('takes %s in a stream for %s', (type, status) => {
    expect(readFailure(JSON.stringify(anthropic('m', type))).status).toBe(status);
  });
});

function anthropic(message: string, type = 'invalid_request_error') {
  return { type: 'error', error: { type, message } };
}

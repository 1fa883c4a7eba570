import { httpError } from './http-failure.js';

const NOW = Date.parse('2026-01-05T10:00:00Z');
const fail = (status: number, headers: Record<string, string> = {}, codes: string[] = []) =>
  httpError({ provider: 'p', status, codes, message: 'm', headers: new Headers(headers) }, NOW);

describe('httpError', () => {
  it.each([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '250', 'retry-after': '3' }, 250],
    [{ 'retry-after': 'Mon, 05 Jan 2026 10:00:10 GMT' }, 10_000],
    [{ 'retry-after': 'Mon, 05 Jan 2026 09:00:00 GMT' }, 0],
    [{ 'retry-after': '99999999999' }, 86_400_000],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ])('reads %j as %s ms', (headers, expected) => {
    expect(fail(503, headers as Record<string, string>).retryAfterMs).toBe(expected);
  });

  it('does not say when to retry what must not be retried', () => {
    expect(fail(429, { 'retry-after': '3' }, ['insufficient_quota'])).toMatchObject({ retryable: false });
    expect(fail(429, { 'retry-after': '3' }, ['insufficient_quota']).retryAfterMs).toBeUndefined();
  });

  it('takes a filter for a refusal, not for a wrong request', () => {
    expect(fail(400, {}, ['content_filter'])).toMatchObject({ reasonCode: 'refused', retryable: false });
  });
});

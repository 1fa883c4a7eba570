import fc from 'fast-check';
import { CasefileError, reasonCodeOf } from '@casefile/contracts';
import {
  afterAttempt,
  attemptsFor,
  isOutage,
  type AttemptLimits,
  type FailedAttempt,
} from './attempt-policy.js';

const LIMITS: AttemptLimits = { attempts: 4, firstWaitMs: 250, longestWaitMs: 10_000 };
const failed = (code: string, over: Partial<FailedAttempt> = {}, retryAfterMs?: number): FailedAttempt => ({
  error: new CasefileError(reasonCodeOf(code), 'no', retryAfterMs === undefined ? {} : { retryAfterMs }),
  attempts: 1,
  seed: 'ab',
  step: 1,
  now: 1_000,
  deadlineAt: null,
  ...over,
});

describe('R12 after a failed attempt', () => {
  it.each(['rate_limited', 'server_error', 'network', 'timeout', 'cut_answer', 'empty_answer'])(
    '%s is tried again',
    (code) => expect(afterAttempt(failed(code), LIMITS).kind).toBe('again'),
  );

  it.each(['quota_exhausted', 'bad_key', 'bad_request', 'refused', 'bad_answer', 'too_large', 'unexpected'])(
    '%s is not',
    (code) => expect(afterAttempt(failed(code, {}, 10), LIMITS).kind).toBe('give-up'),
  );

  it.each(['empty_answer', 'cut_answer'])(
    'S1-25 %s is asked again twice at most, and not here if the caller asks again itself',
    (code) => {
      const kind = (attempts: number, over = {}) =>
        afterAttempt(failed(code, { attempts, ...over }), { ...LIMITS, attempts: 10 }).kind;
      expect([1, 2, 3, 4].map((attempts) => kind(attempts))).toEqual([
        'again',
        'again',
        'give-up',
        'give-up',
      ]);
      expect(kind(1, { isAskedAgain: true })).toBe('give-up');
      expect(afterAttempt(failed('network', { isAskedAgain: true }), LIMITS).kind).toBe('again');
    },
  );

  it('ends with the attempts', () => {
    expect(afterAttempt(failed('network', { attempts: 3 }), LIMITS).kind).toBe('again');
    expect(afterAttempt(failed('network', { attempts: 4 }), LIMITS).kind).toBe('give-up');
  });

  it('gives up at once when the wait would pass the deadline, and says how long it would have been', () => {
    const at = { now: 1_000, deadlineAt: 3_000 };
    expect(afterAttempt(failed('rate_limited', at, 1_000), LIMITS).kind).toBe('again');
    expect(afterAttempt(failed('rate_limited', at, 2_000), LIMITS)).toMatchObject({ kind: 'give-up' });
    expect(afterAttempt(failed('rate_limited', at, 30_000), LIMITS).waitMs).toBeGreaterThanOrEqual(30_000);
  });

  it('keeps no worker waiting longer than the longest wait, with no deadline either', () => {
    expect(afterAttempt(failed('rate_limited', {}, 20_000), LIMITS).kind).toBe('give-up');
  });

  it('waits between nothing and a bound that doubles, never below Retry-After, the same every time', () => {
    const attempts = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(
        attempts,
        fc.string(),
        fc.option(fc.nat(60_000), { nil: undefined }),
        (n, seed, minimum) => {
          const one = failed('server_error', { attempts: n, seed }, minimum);
          const { waitMs } = afterAttempt(one, LIMITS);
          const bound = minimum === undefined ? Math.min(10_000, 250 * 2 ** (n - 1)) : minimum + 250;
          expect(waitMs).toBeGreaterThanOrEqual(minimum ?? 0);
          expect(waitMs).toBeLessThanOrEqual(Math.ceil(bound));
          expect(afterAttempt(one, LIMITS).waitMs).toBe(waitMs);
        },
      ),
    );
  });

  it('S4-30 waits 1, 2 and 4 s with some jitter where a kind of case wants it so, and not a fourth time', () => {
    const limits = attemptsFor(LIMITS, {
      options: { firstWaitMs: 1_000, waitJitter: 0.2, maxIterations: 10 },
    });
    for (const [i, ms] of [1_000, 2_000, 4_000].entries()) {
      const after = afterAttempt(failed('rate_limited', { attempts: i + 1 }), limits);
      expect(after.kind).toBe('again');
      expect(after.waitMs).toBeGreaterThanOrEqual(ms * 0.8);
      expect(after.waitMs).toBeLessThanOrEqual(ms);
    }
    expect(afterAttempt(failed('rate_limited', { attempts: 4 }), limits).kind).toBe('give-up');
    expect(afterAttempt(failed('rate_limited', {}, 6_000), limits).waitMs).toBeGreaterThanOrEqual(6_000);
  });

  it('spreads the waits of many', () => {
    const waits = Array.from({ length: 200 }, (_, i) =>
      afterAttempt(failed('network', { seed: `${i}` }), LIMITS),
    );
    const mean = waits.reduce((sum, { waitMs }) => sum + waitMs, 0) / waits.length;
    expect(mean).toBeGreaterThan(100);
    expect(mean).toBeLessThan(150);
  });
});

it('an outage is what another provider may not have', () => {
  const outage = (code: string) => isOutage(new CasefileError(reasonCodeOf(code), ''));
  expect(['server_error', 'rate_limited', 'quota_exhausted', 'bad_key', 'circuit_open'].every(outage)).toBe(
    true,
  );
  expect(['empty_answer', 'refused', 'bad_request', 'bad_answer'].some(outage)).toBe(false);
});

import { degradedCauseOf } from '../degradation.js';
import { asCasefileError, CasefileError, isWorkerError } from './casefile-error.js';
import {
  isReasonCode,
  reasonCodeOf,
  reasonInWords,
  reasonOf,
  REASONS,
  whyNoAnswer,
  type ReasonCode,
} from './reason-codes.js';

const codes = Object.keys(REASONS) as ReasonCode[];
const withMark = (mark: 'retry' | 'free' | 'final' | 'account') =>
  codes.filter((code) => reasonOf(code)[mark] === true).sort();

describe('the table of reason codes', () => {
  it('has a clause for people for every code: no capital, no full stop, no code', () => {
    for (const code of codes) {
      const { words = '' } = reasonOf(code);
      expect(words).toMatch(/^(?:[a-z]|Postgres|redis)/);
      expect(words).not.toMatch(/[._]$|_/);
    }
  });

  it('S4-30 tries again what a moment may mend', () => {
    expect(withMark('retry')).toEqual(
      ['rate_limited', 'server_error', 'network', 'timeout', 'cut_answer', 'empty_answer'].sort(),
    );
  });

  it('charges nothing for what was refused before anything was made', () => {
    expect(withMark('free')).toEqual(
      ['rate_limited', 'server_error', 'bad_request', 'bad_key', 'quota_exhausted', 'unknown_model'].sort(),
    );
    expect(withMark('account')).toEqual(['bad_key', 'quota_exhausted']);
    expect(withMark('final')).toEqual(['bad_request', 'refused', 'too_large', 'unknown_model']);
  });

  it('knows what is about the worker and not about the work', () => {
    expect(isWorkerError(new CasefileError('stale_lease', 'gone'))).toBe(true);
    expect(isWorkerError(new CasefileError('server_error', 'down'))).toBe(false);
    expect(isWorkerError(new Error('bug'))).toBe(false);
  });

  it('takes what is no code of this release for unexpected, and for a model that is out', () => {
    for (const odd of ['constructor', '__proto__', 'from_another_release', '']) {
      expect([isReasonCode(odd), reasonCodeOf(odd), reasonOf(odd)]).toEqual([false, 'unexpected', {}]);
      expect(degradedCauseOf(odd)).toBe('model_out');
    }
    expect(reasonInWords('odd_thing')).toBe('odd thing');
    expect(asCasefileError('oops').reasonCode).toBe('unexpected');
  });

  it('S1-25 tells a model that failed from one that was never asked', () => {
    expect(whyNoAnswer('no_provider')).toBe('no language model is configured');
    expect(whyNoAnswer('retrieval_failed')).toBe('a look-up that the answer rests on failed');
    expect(whyNoAnswer('server_error')).toBe(
      'the language model gave no usable answer, for its provider failed',
    );
    expect(whyNoAnswer('odd_thing')).toBe('the language model gave no usable answer, for odd thing');
  });

  it('S1-17 says of every failure of a model what a verdict is degraded by', () => {
    const of = (code: ReasonCode) => reasonOf(code).degradedBy;
    const failures = codes.filter((code) => reasonOf(code).outage?.includes('model'));
    expect(failures.filter((code) => of(code) === undefined)).toEqual([]);
    expect([of('no_provider'), of('low_confidence')]).toEqual([undefined, undefined]);
  });
});

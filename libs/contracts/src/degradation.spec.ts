import { DEGRADED_BY } from './degraded-by.js';
import { degradationOf, degradedCauseOf, lookUpsOf } from './degradation.js';
import { recordedVerdict, verdictSchema } from './artifacts/index.js';

describe('what a verdict is degraded by', () => {
  it.each([
    ['circuit_open', 'model_out'],
    ['server_error', 'model_out'],
    ['network', 'model_out'],
    ['bad_key', 'model_out'],
    ['quota_exhausted', 'model_out'],
    ['rate_limited', 'model_out'],
    ['overloaded', 'model_out'],
    ['timeout', 'timeout'],
    ['budget_exhausted', 'budget'],
    ['budget_exceeded', 'budget'],
    ['unknown_price', 'budget'],
    ['invalid_answer', 'unreadable'],
    ['cut_answer', 'unreadable'],
    ['empty_answer', 'unreadable'],
    ['bad_answer', 'unreadable'],
    ['invalid_schema', 'unreadable'],
    ['refused', 'refused'],
    ['max_iterations_reached', 'unfinished'],
    ['retrieval_failed', 'lookups_failed'],
    ['no_text', 'no_text'],
    ['a_code_nobody_has_seen', 'model_out'],
  ] as const)('S1-17 %s is %s', (reasonCode, cause) => {
    expect(degradedCauseOf(reasonCode)).toBe(cause);
  });

  it('S1-17 that no model is configured is no degradation', () => {
    expect(degradedCauseOf('no_provider')).toBeNull();
    expect(degradationOf([null])).toEqual({ degraded: false, degradedBy: [], degradedNote: '' });
  });

  it('S1-17 a tool without its key counts as not tried', () => {
    const gap = (reason: string) => ({ success: false, reason });
    const items = [{ success: true }, gap('not_configured'), gap('timeout'), gap('server_error')];
    expect(lookUpsOf(items)).toEqual({ tried: 3, failed: 2 });
  });

  it('S1-17 says each cause once, and how many look-ups failed', () => {
    expect(degradationOf(['timeout', 'lookups_failed', 'timeout'], { tried: 7, failed: 3 })).toEqual({
      degraded: true,
      degradedBy: ['timeout', 'lookups_failed'],
      degradedNote: 'timeout, 3 of 7 look-ups failed',
    });
    for (const { short, sentence } of Object.values(DEGRADED_BY)) {
      expect(short.split(' ').length).toBeLessThan(4);
      expect(sentence).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('S1-17 a verdict that is older than the field still reads', () => {
    const old = {
      outcome: {},
      disposition: 'dismiss',
      confidence: 1,
      confidenceSource: 'heuristic',
      method: 'heuristic',
      reasons: [],
      citations: [],
      degraded: true,
      decidedAt: '2026-01-05T10:00:00.000Z',
    };
    expect(verdictSchema.parse(old)).toMatchObject({ degradedBy: [], degradedNote: '' });
    expect(recordedVerdict(old)).toMatchObject({ degraded: true, degradedBy: [], degradedNote: '' });
  });
});

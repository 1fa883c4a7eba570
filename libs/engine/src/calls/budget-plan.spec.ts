import fc from 'fast-check';
import type { InteractionResult } from '@casefile/contracts';
import { budgetSettingsSchema, NO_BUDGETS } from './budget-settings.js';
import { resultCharge, counts, settingReservations } from './budget-plan.js';

const NOW = Date.parse('2026-01-05T23:59:00Z');
const spender = { caseId: 'c1', playbook: 'scam-verdict', lane: 'batch' as const };
const worst = () => ({ tokens: 500, usd: 0.0123456 });
const settings = (input: object) => budgetSettingsSchema.parse(input);

describe('what a call reserves', () => {
  it('is its worst case in every budget it is on, in the order of their keys', () => {
    const given = settings({
      case: { usd: 0.5 },
      day: { usd: 20, tokens: 1_000 },
      playbook: { 'scam-verdict': { tokens: 99, soft: 0.5 }, other: { usd: 1 } },
      lane: { batch: { usd: 5 }, live: { usd: 1 } },
    });
    const reserved = settingReservations(given, spender, worst, NOW)!;
    const ofBatch = settingReservations(NO_BUDGETS, { ...spender, batch: { id: 'b', usd: 2 } }, worst, NOW);
    expect(ofBatch).toMatchObject([{ key: 'batch:b:usd', window: 'all', limit: 2_000_000 }]);
    expect(
      reserved.map(({ key, window, amount, limit, softAt }) => [key, window, amount, limit, softAt]),
    ).toEqual([
      ['case:c1:usd', 'all', 12_346, 500_000, 400_000],
      ['day:tokens', '2026-01-05', 500, 1_000, 800],
      ['day:usd', '2026-01-05', 12_346, 20_000_000, 16_000_000],
      ['lane:batch:usd', '2026-01-05', 12_346, 5_000_000, 4_000_000],
      ['playbook:scam-verdict:tokens', '2026-01-05', 500, 99, 50],
    ]);
  });

  it('S4-55 of a shadow run is none of the budgets that live runs need', () => {
    const given = settings({
      case: { usd: 0.5 },
      day: { usd: 20 },
      playbook: { 'scam-verdict': { tokens: 99 } },
      lane: { shadow: { usd: 1 }, live: { usd: 1 } },
    });
    const shadow = { ...spender, lane: 'shadow' as const, batch: { id: 'e', usd: 2 } };
    expect(settingReservations(given, shadow, worst, NOW)?.map(({ key }) => key)).toEqual([
      'batch:e:usd',
      'lane:shadow:usd',
    ]);
  });

  it('is nothing, and nothing is estimated, where there are no budgets', () => {
    const never = () => {
      throw new Error('estimated');
    };
    expect(settingReservations(settings({}), spender, never, NOW)).toEqual([]);
  });

  it('cannot be said for money when the price is not known', () => {
    const unpriced = () => ({ tokens: 500, usd: null });
    expect(settingReservations(settings({ day: { usd: 1 } }), spender, unpriced, NOW)).toBeNull();
    expect(settingReservations(settings({ day: { tokens: 1 } }), spender, unpriced, NOW)).toHaveLength(1);
  });

  it('is counted by measure', () => {
    const given = settings({ lane: { batch: { tokens: 5 } } });
    expect([counts(given, 'tokens'), counts(given, 'usd')]).toEqual([true, false]);
  });
});

describe('the cost of a call', () => {
  const asked = { messages: [{ role: 'user' as const, content: 'Is it?' }] };
  const result = (over: object) =>
    ({
      state: 'completed',
      errorCode: null,
      costUsd: 0.01,
      usage: { inputTokens: 10, outputTokens: 5, reasoningTokens: 4, cachedTokens: 2 },
      ...over,
    }) as InteractionResult;
  const UNUSED = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 };

  it('is its cost and its tokens', () => {
    expect(resultCharge(result({}), asked)).toEqual({ usd: 10_000, tokens: 15 });
  });

  it('is nothing for a refusal, and not known for a call that was cut off', () => {
    const failed = (errorCode: string) =>
      resultCharge(result({ state: 'failed', errorCode, costUsd: null, usage: UNUSED }), asked);
    expect(failed('rate_limited')).toEqual({ usd: 0, tokens: 0 });
    expect(failed('timeout')).toEqual({ usd: null, tokens: null });
    expect(failed('cut_answer')).toEqual({ usd: null, tokens: null });
  });

  it('E-04 is counted by bytes where the provider says too little, and its cost in proportion', () => {
    const lied = result({
      content: 'b'.repeat(160_000),
      usage: { ...UNUSED, inputTokens: 10, outputTokens: 1 },
    });
    const { tokens, usd } = resultCharge(lied, asked);
    expect(tokens).toBe(10_010);
    expect(usd).toBeCloseTo(0.01 * (10_010 / 11) * 1e6, -1);
  });

  it('is never rounded below what it cost', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 100, noNaN: true }), (costUsd) => {
        expect(resultCharge(result({ costUsd }), asked).usd).toBeGreaterThanOrEqual(costUsd * 1e6);
      }),
    );
  });
});

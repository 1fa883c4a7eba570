import fc from 'fast-check';
import { manualClock } from '@casefile/contracts/testing';
import { RetryBudget } from './retry-budget.js';

describe('R12 the budget of further attempts', () => {
  it('is never above the share of first attempts and the reserve', () => {
    const steps = fc.array(fc.constantFrom('earn', 'take'), { maxLength: 500 });
    fc.assert(
      fc.property(steps, (taken) => {
        const budget = new RetryBudget(manualClock(), { share: 0.4, reserve: 5 });
        let first = 0;
        let further = 0;
        for (const step of taken) {
          if (step === 'earn') first += 1;
          if (step === 'earn') budget.earn('p');
          else if (budget.take('p')) further += 1;
          expect(further).toBeLessThanOrEqual(5 + 0.4 * first + 1e-9);
        }
      }),
    );
  });

  it('lets a failure in quiet times be tried again, and comes back with time', () => {
    const clock = manualClock();
    const budget = new RetryBudget(clock, { share: 0.4, reserve: 3 });
    const all = () => [1, 2, 3, 4].map(() => budget.take('p'));
    expect(all()).toEqual([true, true, true, false]);
    clock.advance(10_000);
    expect(all()).toEqual([true, false, false, false]);
  });

  it('keeps what was earned for failures of the same time, not for later ones', () => {
    const clock = manualClock();
    const budget = new RetryBudget(clock, { share: 0.5, reserve: 2 });
    const taken = () => Array.from({ length: 100 }, () => budget.take('p')).filter(Boolean).length;
    for (let i = 0; i < 100; i += 1) budget.earn('p');
    expect(taken()).toBe(52);
    for (let i = 0; i < 100; i += 1) budget.earn('p');
    clock.advance(60_000);
    expect(taken()).toBe(2);
  });

  it('is each provider its own', () => {
    const budget = new RetryBudget(manualClock(), { share: 0, reserve: 1 });
    expect([budget.take('a'), budget.take('a'), budget.take('b')]).toEqual([true, false, true]);
  });
});

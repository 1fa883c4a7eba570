import { CRITERION_STATUSES, InvalidInput } from '@casefile/contracts';
import fc from 'fast-check';
import { combinedStatus, settledAnswer } from './criterion-status.js';

const statuses = fc.array(fc.constantFrom(...CRITERION_STATUSES), { minLength: 1, maxLength: 12 });

describe('S4-22 an answer after its citations were looked at', () => {
  const met = { status: 'MET', confidence: 0.9 } as const;

  it('is withheld under 0.65', () => {
    const rules = { share: 1, capByShare: true };
    expect(settledAnswer({ ...met, confidence: 0.65 }, rules)).toMatchObject({
      status: 'MET',
      reasonCode: null,
    });
    expect(settledAnswer({ ...met, confidence: 0.64 }, rules)).toEqual({
      ...{ status: 'UNCERTAIN', confidence: 0.64, reasonCode: 'low_confidence' },
    });
  });

  it('S4-21 is no surer than the share of verified claims, where the playbook says so', () => {
    expect(settledAnswer(met, { share: 0.5, capByShare: true })).toMatchObject({
      confidence: 0.5,
      status: 'UNCERTAIN',
    });
    expect(settledAnswer(met, { share: 0.5, capByShare: false })).toMatchObject({
      confidence: 0.9,
      status: 'MET',
    });
  });

  it('that is no number counts for nothing', () => {
    expect(settledAnswer({ ...met, confidence: Number.NaN }, { share: 1, capByShare: false })).toMatchObject({
      ...{ confidence: 0, status: 'UNCERTAIN' },
    });
  });

  it('that is uncertain stays so without another reason', () => {
    const unsure = { status: 'UNCERTAIN', confidence: 0.2 } as const;
    expect(settledAnswer(unsure, { share: 1, capByShare: true }).reasonCode).toBeNull();
  });
});

describe('S4-23 the combination of criteria', () => {
  it('agrees with every way the uncertain ones could still turn out', () => {
    fc.assert(
      fc.property(statuses, fc.nat(), (given, n) => {
        const needed = 1 + (n % given.length);
        const met = given.filter((status) => status === 'MET').length;
        const open = given.filter((status) => status === 'UNCERTAIN').length;
        const outcomes = new Set(Array.from({ length: open + 1 }, (_, more) => met + more >= needed));
        const wanted = outcomes.size === 2 ? 'UNCERTAIN' : outcomes.has(true) ? 'MET' : 'NOT_MET';
        expect(combinedStatus(given, { rule: 'n-of-m', n: needed })).toBe(wanted);
      }),
    );
  });

  it('all and any are the two ends of n of m', () => {
    fc.assert(
      fc.property(statuses, (given) => {
        expect(combinedStatus(given, { rule: 'all' })).toBe(
          combinedStatus(given, { rule: 'n-of-m', n: given.length }),
        );
        expect(combinedStatus(given, { rule: 'any' })).toBe(combinedStatus(given, { rule: 'n-of-m', n: 1 }));
      }),
    );
  });

  it.each([
    [[], { rule: 'all' }, 'criteria'],
    [['MET'], { rule: 'n-of-m', n: 2 }, 'combine.n'],
    [['MET'], { rule: 'n-of-m', n: 0 }, 'combine.n'],
    [['MET'], { rule: 'n-of-m', n: 0.5 }, 'combine.n'],
  ] as const)('refuses %j by %j and names %s', (given, rule, path) => {
    expect(() => combinedStatus(given, rule)).toThrow(InvalidInput);
    expect(() => combinedStatus(given, rule)).toThrow(path);
  });
});

import type { JsonObject } from '@casefile/contracts';
import { presenting } from './present.js';

const cited = { kind: 'quote', nodeId: '0001', quote: 'A later notice is refused.' };
const criterion = (id: string, status: string, isCited = true) => ({
  id,
  status,
  citations: isCited ? [cited] : [],
});
const refusalOf = (criteria: JsonObject[], status: string, combine: JsonObject = { rule: 'all' }) =>
  presenting.contradiction?.({ criteria, combine }, { status }) ?? null;

describe('T-41 a correction that contradicts the record', () => {
  it.each([
    ['a refused criterion', [criterion('a', 'NOT_MET')], 'NOT_MET, with a citation of the policy: a'],
    ['a criterion without a citation', [criterion('a', 'MET'), criterion('b', 'UNCERTAIN', false)], 'for b'],
    ['no citation at all', [criterion('a', 'MET', false)], 'for a'],
  ])('T-41 refuses MET with %s', (_title, criteria, why) => {
    expect(refusalOf(criteria, 'MET')).toContain(why);
  });

  it('T-41 takes MET if every criterion has a citation, or as many as the rule needs', () => {
    expect(refusalOf([criterion('a', 'MET'), criterion('b', 'UNCERTAIN')], 'MET')).toBeNull();
    const one = [criterion('a', 'MET'), criterion('b', 'NOT_MET'), criterion('c', 'UNCERTAIN', false)];
    expect(refusalOf(one, 'MET', { rule: 'any' })).toBeNull();
    expect(refusalOf(one, 'MET', { rule: 'n-of-m', n: 2 })).toContain('for c');
  });

  it('T-41 refuses NOT_MET if the cited criteria are met', () => {
    expect(refusalOf([criterion('a', 'MET')], 'NOT_MET')).toContain('MET, with a citation of the policy: a');
    expect(refusalOf([criterion('a', 'MET', false)], 'NOT_MET')).toBeNull();
    expect(refusalOf([criterion('a', 'UNCERTAIN')], 'NOT_MET')).toBeNull();
  });
});

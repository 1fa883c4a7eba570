import { withProviderRemarks, withoutProviderRemarks } from './stages.js';
import type { UnitResult } from './stage-parts.js';

const verdict = {
  reasons: ['a'],
  degraded: false,
  degradedBy: [],
  degradedNote: '',
} as unknown as Parameters<typeof withProviderRemarks>[0];
const unit = (draft: string[], review?: string[]) =>
  ({
    draft: { remarks: draft },
    review: review === undefined ? {} : { remarks: review },
  }) as unknown as UnitResult;

describe('detours on the way to a verdict', () => {
  it('leave a verdict alone when there are none', () => {
    expect(withProviderRemarks(verdict, [unit(['confidence_missing'])])).toBe(verdict);
  });

  it('degrade it, with a reason each, whichever unit and stage took them', () => {
    const remarked = withProviderRemarks(verdict, [
      unit(['cheaper_model']),
      unit([], ['fallback_provider', 'cheaper_model']),
    ]);
    expect(remarked).toMatchObject({
      degraded: true,
      degradedBy: ['other_model'],
      degradedNote: 'another model answered',
    });
    expect(remarked.reasons).toHaveLength(3);
    expect(remarked.reasons.join(' ')).toMatch(/another one of its list answered.*a cheaper one answered/);
  });

  it.each([
    ['dismiss', 'review'],
    ['review', 'review'],
    ['act', 'act'],
  ] as const)('S1-17 close no case: %s is %s', (disposition, left) => {
    const remarked = withProviderRemarks({ ...verdict, disposition }, [unit(['fallback_provider'])]);
    expect(remarked.disposition).toBe(left);
    expect(remarked.reasons.join(' ').includes('needs review')).toBe(disposition === 'dismiss');
    expect(withProviderRemarks({ ...verdict, disposition }, [unit([])]).disposition).toBe(disposition);
  });

  it('are no remark for the policy to put in words of its own', () => {
    expect(withoutProviderRemarks([unit(['cheaper_model', 'confidence_missing'])])[0]?.draft.remarks).toEqual(
      ['confidence_missing'],
    );
  });
});

import type { ConditionFacts } from './condition-facts.js';
import { qualityLow } from './quality-low.js';

const counts = {
  playbook: 'a-kind',
  earlierLabels: 120,
  earlierRight: 112,
  recentLabels: 40,
  recentRight: 24,
};

/** Returns the conditions of these counts. The rule reads no other fact. */
const holding = (over: object) =>
  qualityLow.holding({ quality: [{ ...counts, prompt: 'answer', ...over }] } as unknown as ConditionFacts);

describe('S4-61 quality below its interval', () => {
  it('names both shares, and proposes an evolution with the page and the command', () => {
    expect(holding({})).toEqual([
      {
        id: 'quality_low.a-kind',
        severity: 'warning',
        since: null,
        text: 'Fewer verdicts of a-kind are right: 24 of 40 labelled (60 %) in the last 7 days, 112 of 120 labelled (93 %) in the 28 days before',
        effect:
          'People corrected more verdicts than chance explains. Verdicts without a label may be wrong too.',
        act: expect.stringContaining(
          'casefile evolve --playbook a-kind --prompt answer --budget 5',
        ) as string,
        link: '/prompts/a-kind/answer',
      },
    ]);
  });

  it('proposes no evolution if no prompt can be evolved', () => {
    const [found] = holding({ prompt: null });
    expect(found).toMatchObject({ link: '/improve', act: expect.not.stringContaining('evolve') as string });
  });

  it.each([
    ['within the interval', { recentRight: 36 }],
    ['with 19 recent labels', { recentLabels: 19, recentRight: 0 }],
    ['with 19 earlier labels', { earlierLabels: 19, earlierRight: 19 }],
  ])('does not hold %s', (_what, over) => {
    expect(holding(over)).toEqual([]);
  });
});

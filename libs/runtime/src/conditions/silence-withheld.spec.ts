import type { Condition, ShownSilence } from '@casefile/contracts';
import type { ConditionFacts } from './condition-facts.js';
import { silenceWithheld } from './silence-withheld.js';

const holding = (over: Partial<ShownSilence>, critical: number): Condition[] =>
  silenceWithheld.holding({
    silences: [
      {
        id: 's',
        source: 'casefile',
        state: 'active',
        matchers: [{ name: 'service', value: 'checkout', isRegex: false, isEqual: true }],
        startsAt: '2026-01-05T10:00:00Z',
        endsAt: '2026-01-05T12:00:00Z',
        reason: 'A move',
        author: 'ann',
        endedBy: null,
        problem: null,
        withheld: { cases: 3, messages: 4, critical },
        ...over,
      },
    ],
  } as unknown as ConditionFacts);

it('T-20 a silence in force that withheld a critical page is a condition, and no other one', () => {
  expect(holding({}, 2)).toEqual([
    {
      id: 'silence_withheld',
      severity: 'warning',
      since: null,
      text: '2 critical pages were not sent because of a silence: service=checkout (by ann, until 2026-01-05T12:00:00Z)',
      effect: expect.stringContaining('judged again'),
      act: expect.stringContaining('end the silence'),
      link: '/operate/destinations?state=withheld',
    },
  ]);
  expect(holding({}, 0)).toEqual([]);
  expect(holding({ state: 'over' }, 2)).toEqual([]);
});

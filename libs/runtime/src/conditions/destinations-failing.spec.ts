import type { Condition, DestinationState } from '@casefile/contracts';
import type { ConditionFacts } from './condition-facts.js';
import { destinationsFailing } from './destinations-failing.js';

const SINCE = '2026-01-05T10:00:00.000Z';
const state = (over: Partial<DestinationState> = {}): DestinationState => ({
  name: 'oncall',
  pausedAt: null,
  pausedBy: null,
  pausedWhy: null,
  failingSince: SINCE,
  lastFailureAt: '2026-01-05T10:00:05.000Z',
  lastProblem: 'HTTP 429',
  lastSuccessAt: null,
  pending: 3,
  exhausted: 1,
  ...over,
});
/** Returns the conditions so many seconds after the first failure. */
const after = (seconds: number, over: Partial<DestinationState> = {}): Condition[] => {
  const now = Date.parse(SINCE) + seconds * 1_000;
  return destinationsFailing.holding({ now, destinations: [state(over)] } as unknown as ConditionFacts);
};

describe('T-20 a destination that fails', () => {
  it('is a condition within a minute of its first failure, and not when it failed once', () => {
    // The second attempt follows after about 5 s, and takes at most 15 s. A pass follows within 5 s.
    expect(after(25)).toEqual([]);
    expect(after(54)).toEqual([
      {
        id: 'destination_failing.oncall',
        severity: 'error',
        since: SINCE,
        text: `The destination oncall has accepted nothing since ${SINCE} (it answered HTTP 429); 3 deliveries wait, 1 ended without success`,
        effect: expect.stringContaining('gets nothing'),
        act: expect.stringContaining('casefile destinations test oncall'),
        link: '/operate/destinations',
      },
    ]);
    expect(after(3_600, { failingSince: null })).toEqual([]);
  });

  it('is none after one failed attempt, however long ago: the receiver may have asked for time', () => {
    expect(after(3_600, { lastFailureAt: SINCE })).toEqual([]);
  });

  it('states why it was not reached, if it gave no answer', () => {
    const [condition] = after(60, { lastProblem: 'oncall.example did not answer in time' });
    expect(condition?.text).toContain('(oncall.example did not answer in time)');
  });

  it('stays one while it is paused, because its receiver still gets nothing', () => {
    expect(after(60, { pausedAt: SINCE })).toHaveLength(1);
  });
});

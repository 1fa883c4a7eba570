import { interleavings } from '../testing/index.js';
import { firstOccurrence } from '../intake/occurrence.js';
import { ALL_RULES, alertTransition, CASE_RULES, type CaseRule } from './index.js';

const report = { startedAt: null, resolved: false, mostRunsPerHour: 6, closes: false };
const alert = { occurrence: report, canJoin: true, isDue: false, isRequested: false, recovery: null };

describe('an alert', () => {
  it.each([
    ['a firing alert', {}, 'leads'],
    ['words of recovery', { joinsOnly: true }, 'leads'],
    ['a remark', { remark: true }, 'none'],
    ['a recovery', { resolved: true }, 'none'],
  ])('T-43 %s: a request opens this run: %j %s', (_what, over, run) => {
    const joined = { isAnswered: false, occurrences: { ...firstOccurrence(report), isUnderWay: false } };
    const occurrence = { ...report, ...over };
    expect(alertTransition(joined, { ...alert, occurrence, isRequested: true })).toMatchObject({ run });
  });

  it.each([
    [0, true],
    [30_000, true],
    [30_001, false],
    [5 * 60_000, false],
  ])('T-43 a start without a time, %d ms after the end of an unknown alert, is over: %s', (agoMs, isOver) => {
    const transition = alertTransition(null, { ...alert, recovery: { startedAt: null, at: 0, agoMs } });
    expect(transition).toMatchObject({ run: 'leads', effect: { resolves: isOver, fires: !isOver } });
  });
});

describe('a case under random interleavings of alerts, verdicts, answers and batches', () => {
  it('T-43 S2-40 keeps every sentence', () => {
    expect([...interleavings(4_000, 1, ALL_RULES)]).toEqual([]);
  });

  it.each(Object.keys(CASE_RULES) as CaseRule[])('without the rule %s, a sentence is violated', (rule) => {
    expect([...interleavings(4_000, 1, new Set([rule]), 1).keys()]).not.toEqual([]);
  });
});

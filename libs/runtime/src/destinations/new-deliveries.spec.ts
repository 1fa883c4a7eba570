import type { DestinationWhen, VerdictMessage } from '@casefile/contracts';
import { messageDeliveries } from './new-deliveries.js';
import { hook, message } from './testing/sender-bench.js';

const waits: VerdictMessage = { ...message(1), verdict: { ...message(1).verdict, disposition: 'review' } };
const decidedBy = { person: 'ann', at: '2026-01-05T11:00:00.000Z', reason: 'Not certain.' };
const answered: VerdictMessage = { ...waits, verdict: { ...waits.verdict, decidedBy } };
const at = { now: 0, answerWithinHours: { default: 24, 'scam-verdict': 2 } };
const kindsOf = (when: DestinationWhen, verdict: VerdictMessage, labels = {}) =>
  messageDeliveries(hook('desk', { when }), verdict, labels, at).map(({ kind }) => kind);

describe('deliveries of a verdict', () => {
  it.each<[string, DestinationWhen, string[]]>([
    ['no rule', {}, ['verdict']],
    ['reviews', { events: ['review'] }, ['review-needed']],
    ['both', { events: ['verdict', 'review'] }, ['verdict', 'review-needed']],
    ['another kind', { events: ['review'], playbook: ['incident'] }, []],
    ['another severity', { events: ['review'], severity: ['info'] }, []],
    ['a label that it lacks', { events: ['review'], labels: { team: 'a' } }, []],
    // These select verdicts only.
    ['verdicts to act on', { events: ['verdict', 'review'], disposition: ['act'] }, ['review-needed']],
    ['a higher confidence', { events: ['review'], confidence: 1 }, ['review-needed']],
  ])('that waits for a reviewer, with a rule of %s', (_what, when, kinds) => {
    expect(kindsOf(when, waits)).toEqual(kinds);
  });

  it('that a person decided, or that does not wait, report no review', () => {
    const when: DestinationWhen = { events: ['review'] };
    expect([kindsOf(when, answered), kindsOf(when, message(1))]).toEqual([[], []]);
  });

  it('report since when it waits, and the hours of its kind', () => {
    const [one] = messageDeliveries(hook('desk', { when: { events: ['review'] } }), waits, {}, at);
    expect(one).toMatchObject({
      key: 'review verdict-1',
      event: { verdictId: 'verdict-1', review: { since: waits.verdict.decidedAt, withinHours: 2 } },
    });
  });
});

import fc from 'fast-check';
import { planProposal, type ProposedVerdict, type VerdictChange } from './proposed-verdict.js';
import {
  actToUndo,
  isAnswered,
  planCorrection,
  REVIEW_STATES,
  reviewStanding,
  type CorrectionRow,
  type ReviewAct,
} from './review-acts.js';

const proposed = (over: Partial<ProposedVerdict>): ProposedVerdict => ({
  change: 'message',
  isCurrent: true,
  review: null,
  isDelivered: true,
  isWithheld: false,
  corrections: [],
  ...over,
});
const waiting = { id: 'd', sent: false, isLeaving: false };

describe('a proposed verdict', () => {
  it.each([
    ['message', 'applied', true],
    ['basis', 'applied', false],
    ['none', 'unchanged', false],
  ] as const)('S4-62 with the change "%s" is %s; delivered: %s', (change, result, sends) => {
    expect(planProposal(proposed({ change }))).toEqual({ result, sends, cancel: [] });
    expect(planProposal(proposed({ change, isDelivered: false }))).toMatchObject({ result, sends: false });
    expect(planProposal(proposed({ change, isCurrent: false }))).toMatchObject({ result: 'overtaken' });
  });

  it.each(REVIEW_STATES)('S4-59 S4-62 yields to the review state "%s" only if it is an answer', (state) => {
    if (state === 'snoozed' || state === 'sampled') return;
    const result = planProposal(proposed({ review: state }))?.result;
    expect(result).toBe(state === 'answered' || state === 'disputed' ? 'by_person' : 'applied');
  });

  it('S4-62 replaces a message that waits, and does not overtake one that is being sent', () => {
    const left = { id: 'a', sent: true, isLeaving: false };
    for (const change of ['message', 'basis'] as const)
      expect(planProposal(proposed({ change, corrections: [left, waiting] }))).toEqual({
        result: 'applied',
        sends: true,
        cancel: ['d'],
      });
    const leaving = { id: 'd', sent: true, isLeaving: true };
    expect(planProposal(proposed({ corrections: [leaving] }))).toBeNull();
    expect(planProposal(proposed({ change: 'none', corrections: [leaving] }))?.result).toBe('unchanged');
  });

  /** The state of a case: runs with their verdicts, acts of people, and messages. */
  class ACase {
    run = { id: 'r0', verdict: 'act', degraded: true };
    acts: ReviewAct[] = [];
    corrections: (CorrectionRow & { verdict: string })[] = [];
    readonly received = ['act'];
    private count = 0;

    standing = () => reviewStanding(this.acts, this.run.id).standing;
    inForce = () => String(this.standing()?.outcome?.['is'] ?? this.run.verdict);

    send(): void {
      for (const row of this.corrections.filter(({ sent }) => !sent)) {
        this.received.push(row.verdict);
        row.sent = true;
      }
    }

    person(by: string, is: string | null): void {
      const undoes = is === null ? (actToUndo(this.acts, by)?.actId ?? null) : null;
      if (is === null && undoes === null) return;
      const empty = { note: null, part: null, assignee: null, until: null, bulk: false, event: null };
      const common = { actId: `a${(this.count += 1)}`, runId: this.run.id, by, at: '2026-01-05T10:00:00Z' };
      const outcome = is === null ? null : { is };
      this.acts.push({ ...empty, ...common, act: is === null ? 'undo' : 'correct', outcome, undoes });
      const standing = this.standing();
      const { cancel, add } = planCorrection(this.corrections, standing?.actId ?? null);
      this.corrections = this.corrections.filter(({ id }) => !cancel.includes(id));
      const row = { id: `d${this.count}`, answerId: standing?.actId ?? null, sent: false };
      if (add) this.corrections.push({ ...row, verdict: this.inForce() });
    }

    propose(verdict: string, degraded: boolean): string {
      const better: VerdictChange = this.run.degraded && !degraded ? 'basis' : 'none';
      const plan = planProposal({
        change: verdict === this.run.verdict ? better : 'message',
        isCurrent: true,
        review: reviewStanding(this.acts, this.run.id).state,
        isDelivered: true,
        isWithheld: false,
        corrections: this.corrections.map(({ id, sent }) => ({ id, sent, isLeaving: false })),
      })!;
      if (plan.result !== 'applied') return plan.result;
      this.run = { id: `r${(this.count += 1)}`, verdict, degraded };
      this.corrections = [];
      if (plan.sends) this.received.push(verdict);
      return plan.result;
    }
  }

  const VERDICTS = ['act', 'review', 'dismiss'] as const;
  const steps = fc.array(
    fc.oneof(
      fc.record({ by: fc.constantFrom('ann', 'ben'), is: fc.constantFrom(...VERDICTS, null) }),
      fc.record({ verdict: fc.constantFrom(...VERDICTS), degraded: fc.boolean() }),
      fc.constant('send' as const),
    ),
    { maxLength: 30 },
  );

  it('S4-59 S4-62 whatever people answer and batches propose, the answer of a person stays, and is the last message', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const one = new ACase();
        for (const step of all) {
          const before = { standing: one.standing(), sent: one.received.length, inForce: one.inForce() };
          if (step === 'send') one.send();
          else if ('by' in step) one.person(step.by, step.is);
          else {
            const result = one.propose(step.verdict, step.degraded);
            const review = reviewStanding(one.acts, one.run.id).state;
            if (before.standing !== null) {
              expect([result, one.standing(), one.inForce()]).toEqual([
                'by_person',
                before.standing,
                before.inForce,
              ]);
              expect(isAnswered(review)).toBe(true);
            }
            if (result !== 'applied') expect(one.received).toHaveLength(before.sent);
          }
        }
        one.send();
        expect(one.received.at(-1)).toBe(one.inForce());
        // No message repeats what receivers have, unless a person gave or withdrew an answer.
        if (one.acts.length === 0)
          expect(one.received.some((is, i) => i > 0 && is === one.received[i - 1])).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});

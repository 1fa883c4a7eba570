import fc from 'fast-check';
import {
  actToUndo,
  planCorrection,
  reviewStanding,
  type CorrectionRow,
  type ReviewAct,
} from './review-acts.js';

let actCount = 0;
const act = (over: Partial<ReviewAct>): ReviewAct => ({
  actId: `a${(actCount += 1)}`,
  act: 'correct',
  runId: 'r',
  by: 'ann',
  at: '2026-01-05T10:00:00.000Z',
  note: null,
  outcome: null,
  part: null,
  assignee: null,
  until: null,
  undoes: null,
  bulk: false,
  event: null,
  ...over,
});
const high = { outcome: { level: 'high' } };
const low = { outcome: { level: 'low' } };

describe('the standing of a review', () => {
  it('S4-59 follows the newest answer; two opinions are both kept', () => {
    const answers = [act(high), act({ by: 'ben', ...low })];
    expect(reviewStanding(answers, 'r')).toMatchObject({
      state: 'disputed',
      answers: [{ by: 'ann' }, { by: 'ben' }],
      standing: { by: 'ben' },
    });
    expect(reviewStanding([...answers, act(low)], 'r').state).toBe('answered');
    expect(reviewStanding(answers, 'a newer run').state).toBe('open');
  });

  it('S4-59 the latest finding stands, in whatever order the answers arrive', () => {
    const found = (foundAt: string, over: Partial<ReviewAct>) => act({ foundAt, ...over });
    const late = found('2026-01-03T00:00:00Z', { by: 'payments', ...high });
    const early = found('2026-01-02T00:00:00Z', { by: 'appeals', ...low });
    const own = found('2026-01-01T00:00:00Z', { by: 'payments', ...low });
    for (const acts of [
      [late, early, own],
      [own, early, late],
      [early, late, own],
    ]) {
      const { answers, standing } = reviewStanding(acts, 'r');
      expect(standing).toBe(late);
      expect(answers).toEqual([early, late]);
    }
    // A time in the future outweighs no answer that a person gives later.
    const future = found('2099-01-01T00:00:00Z', high);
    const person = act({ by: 'ben', at: '2026-02-01T00:00:00.000Z', ...low });
    expect(reviewStanding([future, person], 'r').standing).toBe(person);
  });

  it('S4-59 answers that set different fields do not contradict each other', () => {
    const answers = [act(high), act({ by: 'ben', outcome: { paid: true } })];
    expect(reviewStanding(answers, 'r').state).toBe('answered');
  });

  it('S4-59 an undo takes back the newest act of its person, and the one before counts again', () => {
    const [first, second, other] = [act(high), act(low), act({ by: 'ben', act: 'acknowledge' })];
    const acts = [first, second, other];
    expect(actToUndo(acts, 'ann')).toBe(second);
    const undone = [...acts, act({ act: 'undo', undoes: second.actId })];
    expect(reviewStanding(undone, 'r').standing).toBe(first);
    expect(actToUndo(undone, 'ann')).toBe(first);
    expect(actToUndo(undone, 'eve')).toBeNull();
    expect(actToUndo(acts, 'ann', other.actId)).toBeNull();
    const all = [...undone, act({ act: 'undo', undoes: first.actId })];
    expect(reviewStanding(all, 'r').state).toBe('acknowledged');
    expect(actToUndo(all, 'ann')).toBeNull();
  });

  it('S4-59 keeps assignee and snooze over a newer verdict, and the last one counts', () => {
    const acts = [act({ act: 'assign', assignee: 'ben' }), act({ act: 'snooze', until: 'then' })];
    const moved = [...acts, act({ act: 'assign', assignee: null })];
    expect(reviewStanding(acts, 'next')).toMatchObject({
      assignee: 'ben',
      snoozedUntil: 'then',
      state: 'open',
    });
    expect(reviewStanding(moved, 'r').assignee).toBeNull();
  });

  it('S4-59 whatever is done, sent and undone, receivers end with the verdict that stands, and never get one twice', () => {
    const steps = fc.array(
      fc.oneof(
        fc.constantFrom('ann', 'ben').map((by) => ({ kind: 'answer' as const, by })),
        fc.constantFrom('ann', 'ben').map((by) => ({ kind: 'undo' as const, by })),
        fc.constant({ kind: 'send' as const, by: '' }),
      ),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, (all) => {
        const acts: ReviewAct[] = [];
        let rows: CorrectionRow[] = [];
        const received: (string | null)[] = [null];
        const send = () => {
          rows = rows.map((row) => {
            if (!row.sent) received.push(row.answerId);
            return { ...row, sent: true };
          });
        };
        for (const { kind, by } of all) {
          if (kind === 'send') {
            send();
            continue;
          }
          const undoes = kind === 'undo' ? (actToUndo(acts, by)?.actId ?? null) : null;
          if (kind === 'undo' && undoes === null) continue;
          acts.push(act(kind === 'undo' ? { act: 'undo', by, undoes } : { by, ...high }));
          const standing = reviewStanding(acts, 'r').standing?.actId ?? null;
          const { cancel, add } = planCorrection(rows, standing);
          expect(rows.filter(({ id, sent }) => sent && cancel.includes(id))).toEqual([]);
          rows = rows.filter(({ id }) => !cancel.includes(id));
          if (add) rows.push({ id: `d${acts.length}`, answerId: standing, sent: false });
          expect(rows.filter(({ sent }) => !sent).length).toBeLessThanOrEqual(1);
        }
        send();
        expect(received.at(-1)).toBe(reviewStanding(acts, 'r').standing?.actId ?? null);
        expect(received.some((id, i) => i > 0 && id === received[i - 1])).toBe(false);
      }),
    );
  });
});

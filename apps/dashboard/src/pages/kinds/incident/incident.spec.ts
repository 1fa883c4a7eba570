import type { ShownRun } from '@casefile/contracts';
import { shownIncident, percent } from './incident.js';

const summed = (content: string | null, state = 'completed') =>
  ({ promptId: 'incident/partial-analysis@1', state, content }) as never;
const run = (over: Partial<ShownRun>) => ({ artifacts: [], interactions: [], ...over }) as never as ShownRun;

describe('S2-50 what is shown of an incident', () => {
  it('is the outcome of each round during the investigation', () => {
    const other = {
      promptId: 'incident/select-tools@1',
      state: 'completed',
      response: { content: 'x' },
    } as never;
    const interactions = [other, summed('one'), summed('', 'pending'), summed('two')];
    expect(shownIncident(run({ interactions }))).toEqual({
      result: null,
      rounds: [
        { round: 1, text: 'one' },
        { round: 2, text: 'two' },
      ],
    });
    // The text of a round is null for a role that may not read it.
    expect(shownIncident(run({ interactions: [summed(null)] })).rounds).toEqual([]);
  });

  it('is the result once there is one', () => {
    const answer = { hypotheses: [], partial: [{ round: 1, text: 'one' }] };
    const artifacts = [{ artifact: 'draft', body: { answer } }] as never;
    expect(shownIncident(run({ artifacts }))).toEqual({ result: answer, rounds: answer.partial });
    // After the decision, unproven actions are not shown.
    const [proven] = [{ what: 'Roll back', risk: 'low', reversible: true }];
    const outcome = {
      actions: [proven],
      gaps: ['g'],
      unproven: [{ of: 'action', text: 'rm', why: 'w' }],
    };
    expect(shownIncident(run({ artifacts, verdict: { outcome } as never })).result).toEqual({
      ...answer,
      steps: [proven],
      gaps: ['g'],
      unproven: outcome.unproven,
    });
    const before = { actions: [proven], gaps: ['g'] };
    expect(shownIncident(run({ artifacts, verdict: { outcome: before } as never })).result).toEqual(answer);
    expect(percent(0.855)).toBe('86 %');
  });
});

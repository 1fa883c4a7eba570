import type { Batch, ShownExperiment } from '@casefile/contracts';
import type { StartedTrial } from './trial.js';
import { trialSteps } from './trial-steps.js';

const NOTHING: StartedTrial = {
  kind: 'scam-verdict',
  change: { prompts: { answer: 3 } },
  batches: [],
  experiments: [],
  changedAt: '',
};
const batch = (id: string, more: Partial<Batch>): Batch =>
  ({
    id,
    failed: 0,
    applied: 0,
    unchanged: 0,
    leftOut: 0,
    overtaken: 0,
    decidedByPerson: 0,
    twice: 0,
    identical: 0,
    labelled: 0,
    costUsd: 0,
    ratePerSecond: null,
    etaSeconds: null,
    reason: null,
    ...more,
  }) as Batch;
const experiment = (id: string, more: Partial<ShownExperiment>): ShownExperiment =>
  ({ id, ...more }) as ShownExperiment;
const shown = (trial: StartedTrial) => trialSteps(trial).map(({ step, mark, href }) => [step, mark, href]);

describe('S4-51 the steps of a trial', () => {
  it('lead to the forms that begin them, and to the prompt for all cases', () => {
    const [past, shadow, part, all] = trialSteps(NOTHING);
    expect([past!.mark, shadow!.mark, part!.mark, all!.mark]).toEqual(['open', 'open', 'open', 'open']);
    expect(past!.href).toContain('step=past');
    expect(shadow!.href).toContain('step=shadow');
    expect(all!.href).toBe('/prompts/scam-verdict/answer?version=3');
    expect(part!.title).toBe('10 %');
  });

  it('show the newest batch and experiment of each, and name the earlier ones', () => {
    const trial: StartedTrial = {
      ...NOTHING,
      batches: [
        batch('b2', {
          state: 'done',
          total: 20,
          done: 20,
          flipped: 3,
          labelled: 15,
          rightBefore: 12,
          rightNow: 14,
        }),
        batch('b1', { state: 'discarded', total: 5, done: 5, flipped: 0 }),
      ],
      experiments: [
        experiment('e2', { mode: 'ab', state: 'stepped_back', share: 0.25 }),
        experiment('e1', { mode: 'shadow', state: 'stopped', share: 0.1 }),
      ],
    };
    expect(shown(trial)).toEqual([
      ['past', 'done', '/batches/b2'],
      ['shadow', 'held', '/experiments/e1'],
      ['part', 'failed', '/experiments/e2'],
      ['all', 'open', '/experiments/e2'],
    ]);
    const [past, shadow, part] = trialSteps(trial);
    expect(past!.figures).toEqual(['20 of 20 · 3 flipped', 'Right by feedback: 12 before, 14 now, of 15']);
    expect(past!.earlier).toEqual(['/batches/b1']);
    expect(shadow!.weight).toBe('10 % judged twice, without effect');
    expect(part!.title).toBe('25 %');
  });

  it('end when an experiment was promoted', () => {
    const experiments = [experiment('e1', { mode: 'ab', state: 'promoted', share: 1 })];
    expect(shown({ ...NOTHING, experiments })[3]).toEqual(['all', 'done', '/experiments/e1']);
  });
});

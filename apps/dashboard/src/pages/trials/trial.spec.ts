import type { Batch, ShownExperiment } from '@casefile/contracts';
import {
  batchSettings,
  changeInWords,
  startedTrials,
  trialHref,
  trialInSearch,
  trialOfBatch,
  type Trial,
} from './trial.js';

const batch = (id: string, ask: Batch['ask'], createdAt = `2026-01-0${id}T00:00:00Z`): Batch =>
  ({ id, ask, createdAt }) as Batch;
const experiment = (id: string, playbook: string, settings: object): ShownExperiment =>
  ({
    id,
    playbook,
    createdAt: `2026-01-0${id}T00:00:00Z`,
    arms: [
      { name: 'control', settings: {} },
      { name: 'new', settings },
    ],
  }) as ShownExperiment;

const PROMPT: Trial = { kind: 'scam-verdict', change: { prompts: { answer: 3 } } };

describe('S4-51 a trial is a change of one kind', () => {
  it('has the batches and experiments with the same change, whatever the order of its settings', () => {
    const trials = startedTrials(
      [
        batch('1', {
          filter: { playbook: 'scam-verdict' },
          settings: { prompts: { 'scam-verdict/answer': 3 } },
        }),
        batch('2', { filter: { playbook: 'scam-verdict' }, settings: { model: 'm', provider: 'p' } }),
        batch('5', { degradedSince: '2026-01-01' }),
        batch('6', { filter: { playbook: 'scam-verdict' } }),
      ],
      [
        experiment('3', 'scam-verdict', { provider: 'p', model: 'm' }),
        experiment('4', 'research', { prompts: { answer: 3 } }),
      ],
    );
    expect(
      trials.map((one) => [one.kind, one.batches.map(({ id }) => id), one.experiments.map(({ id }) => id)]),
    ).toEqual([
      ['research', [], ['4']],
      ['scam-verdict', ['2'], ['3']],
      ['scam-verdict', ['1'], []],
    ]);
  });

  it('has the same settings in a batch, whose prompts are named with the kind', () => {
    const settings = batchSettings(PROMPT)!;
    expect(settings).toEqual({ prompts: { 'scam-verdict/answer': 3 } });
    expect(trialOfBatch({ ask: { filter: { playbook: PROMPT.kind }, settings } })).toEqual(PROMPT);
    expect(batchSettings({ kind: 'a', change: { actFrom: 0.8 } })).toBeNull();
  });

  it('is in the address of its page', () => {
    const { searchParams, pathname } = new URL(trialHref(PROMPT, 'shadow'), 'http://console');
    expect(pathname).toBe('/improve/kinds/scam-verdict/trial');
    expect(trialInSearch('scam-verdict', searchParams)).toEqual({ ...PROMPT, step: 'shadow' });
    for (const change of ['', '{', '[1]', 'null'])
      expect(trialInSearch('a', new URLSearchParams({ change }))).toBeNull();
  });

  it('is described in words', () => {
    expect(changeInWords({ prompts: { answer: 3 }, options: { actAt: 0.9 }, model: 'm' })).toBe(
      'prompt answer: version 3, actAt: 0.9, model m',
    );
    expect(changeInWords({})).toBe('the normal settings');
  });
});

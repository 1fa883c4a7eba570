import { EMPTY_FIELDS, newExperiment } from './new-experiment.js';

const fields = { ...EMPTY_FIELDS, name: 'shorter', playbook: 'kind', reason: 'try' };

describe('the form for a new experiment', () => {
  it('has a control with the normal settings, and shares as numbers from 0 to 1', () => {
    expect(newExperiment({ ...fields, prompt: 'answer', version: '3' })).toEqual({
      name: 'shorter',
      playbook: 'kind',
      mode: 'shadow',
      arms: [
        { name: 'control', settings: {} },
        { name: 'new', settings: { prompts: { answer: 3 } } },
      ],
      share: 0.1,
      budgetUsd: 5,
      reason: 'try',
    });
  });

  it('has no budget for A/B, and other settings as they are given', () => {
    const settings = '{ "model": "m", "prompts": { "revise": 2 } }';
    const given = { ...fields, mode: 'ab' as const, prompt: 'answer', version: '3', settings };
    const { arms, ...rest } = newExperiment({ ...given, margin: '4', expectedCases: '500' });
    expect(rest).toEqual({
      name: 'shorter',
      playbook: 'kind',
      mode: 'ab',
      share: 0.1,
      margin: 0.04,
      expectedCases: 500,
      reason: 'try',
    });
    expect(arms[1]?.settings).toEqual({ model: 'm', prompts: { revise: 2, answer: 3 } });
    expect(() => newExperiment({ ...fields, settings: '{' })).toThrow(SyntaxError);
  });
});

import type { NewExperimentForm } from '../../api/experiments.js';

/** Fields of the form for a new experiment, as they are typed. */
export interface ExperimentFields {
  name: string;
  playbook: string;
  mode: 'shadow' | 'ab';
  /** In percent. */
  share: string;
  /** In US dollars, for shadow. */
  budget: string;
  /** Name of a prompt of the kind. Empty: the prompts of today. */
  prompt: string;
  version: string;
  /** Other settings of the new arm, as JSON. */
  settings: string;
  /** In percentage points. Empty: the default. */
  margin: string;
  expectedCases: string;
  reason: string;
}

export const EMPTY_FIELDS: ExperimentFields = {
  name: '',
  playbook: '',
  mode: 'shadow',
  share: '10',
  budget: '5',
  prompt: '',
  version: '',
  settings: '',
  margin: '',
  expectedCases: '',
  reason: '',
};

/**
 * Returns the experiment of these fields. The service checks the values.
 * @throws SyntaxError if the other settings are no JSON.
 */
export function newExperiment(fields: ExperimentFields): NewExperimentForm {
  const { name, playbook, mode, share, budget, prompt, version, settings, margin, expectedCases, reason } =
    fields;
  const other =
    settings.trim() === '' ? {} : (JSON.parse(settings) as NewExperimentForm['arms'][number]['settings']);
  const prompts = prompt === '' ? {} : { prompts: { ...other.prompts, [prompt]: Number(version) } };
  return {
    name,
    playbook,
    mode,
    arms: [
      { name: 'control', settings: {} },
      { name: 'new', settings: { ...other, ...prompts } },
    ],
    share: Number(share) / 100,
    ...(mode === 'shadow' ? { budgetUsd: Number(budget) } : {}),
    ...(margin === '' ? {} : { margin: Number(margin) / 100 }),
    ...(expectedCases === '' ? {} : { expectedCases: Number(expectedCases) }),
    reason,
  };
}

import { randomUUID } from 'node:crypto';
import type { CaseStore, Comparison, NewExperiment } from '@casefile/contracts';
import { compareArms } from '@casefile/pipeline';

/** An act of a person, for specs. */
export const someAct = () => ({ by: 'ann', reason: 'a test', actId: randomUUID() });

/** Returns a shadow experiment on all cases of a kind whose arms are equal. Its model has no price, so no budget. */
export const equalArms = (playbook: string): NewExperiment => ({
  id: randomUUID(),
  name: `equal arms of ${playbook}`,
  playbook,
  mode: 'shadow',
  arms: [
    { name: 'control', settings: {} },
    { name: 'new', settings: {} },
  ],
  share: 1,
  margin: 0.03,
  expectedCases: 100,
  budgetUsd: null,
  limit: 0.05,
  salt: 'salt',
  ...someAct(),
});

/** Compares the arms of an experiment on the record. @throws Error if there is no such experiment. */
export async function comparisonIn(store: CaseStore, id: string): Promise<Comparison> {
  const experiment = await store.experiments.get(id);
  if (experiment === null) throw new Error('there is no such experiment');
  return compareArms(experiment, await store.experiments.runs(id));
}

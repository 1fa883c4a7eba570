import { randomUUID } from 'node:crypto';
import type { CaseStore, Comparison, NewExperiment } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { startSimulator } from '@casefile/llm-simulator/simulator';
import { compareArms, playbooks } from '@casefile/pipeline';
import { recordSamples } from '../testing/recorded-samples.js';
import { simulatedModel } from '../testing/simulated-model.js';
import { worldOn } from '../testing/world.js';
import { WHOLE_SYSTEM_MS } from '../testing/whole-system-limit.js';

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

export interface EqualArmsFigures {
  playbook: string;
  /** Cases that both arms have judged, and those of them with equal verdicts. */
  cases: number;
  same: number;
  /** The same for the control, judged again with new answers. */
  again: number;
  sameAgain: number;
  missing: number;
  sentence: string;
}

/**
 * Judges the samples of every kind on all services while a shadow experiment with equal arms runs per kind, and compares
 * the arms.
 * @param times Number of times that each sample is judged.
 */
export async function compareEqualArms(
  databaseUrl: string,
  times: number,
  report: (line: string) => void = () => undefined,
): Promise<EqualArmsFigures[]> {
  const simulator = await startSimulator();
  const world = await worldOn(databaseUrl, null, simulatedModel(simulator));
  const { store } = world.platform;
  try {
    const ids: [playbook: string, id: string][] = [];
    for (const { name } of playbooks) {
      const { id } = await store.experiments.create(equalArms(name));
      await store.experiments.start(id, someAct());
      ids.push([name, id]);
    }
    const isRead = () => world.platform.rollout.current().experiments.length === ids.length;
    await until('the experiments are in force', isRead);
    const cases = await recordSamples(world, times);
    report(`${cases.length} cases are judged`);
    const ended = async () => {
      const all = await Promise.all(ids.map(([, id]) => store.experiments.runs(id)));
      const runs = all.flatMap((one) => one.runs);
      const fresh = runs.filter(({ arm, status }) => arm === 'new' && status !== 'due');
      report(`${fresh.length} of ${cases.length} shadow runs have ended`);
      return fresh.length >= cases.length && runs.every(({ status }) => status !== 'due');
    };
    await until('the shadow runs have ended', ended, 5_000, WHOLE_SYSTEM_MS);
    const figures: EqualArmsFigures[] = [];
    for (const [playbook, id] of ids) {
      const { agreement, noise, missing, sentence } = await comparisonIn(store, id);
      const [same, again] = [agreement?.outcome.same, noise?.outcome.same];
      const counts = {
        cases: same?.n ?? 0,
        same: same?.x ?? 0,
        again: again?.n ?? 0,
        sameAgain: again?.x ?? 0,
      };
      figures.push({ playbook, ...counts, missing: missing.x, sentence });
    }
    return figures;
  } finally {
    await world.close();
    await simulator.close();
  }
}

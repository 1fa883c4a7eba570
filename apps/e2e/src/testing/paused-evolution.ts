import { randomUUID } from 'node:crypto';
import type { CaseStore, JsonObject } from '@casefile/contracts';
import { splitCases, startEvolution } from '@casefile/pipeline';
import { testAct } from './experiments.js';

/** Writes an evolution of `scam-verdict/answer` that is paused, so that no process continues it. */
export async function pausedEvolution({ evolutions }: Pick<CaseStore, 'evolutions'>): Promise<string> {
  const cases = Array.from({ length: 20 }, (_, i) => ({
    caseId: `case ${i}`,
    label: i % 2 === 0 ? 'a' : 'b',
  }));
  const plan = {
    seed: 1,
    ...splitCases(cases, 1),
    injected: [],
    minibatch: 3,
    mostEvaluations: 60,
    mostRounds: 5,
  };
  const { id } = await evolutions.create({
    id: randomUUID(),
    playbook: 'scam-verdict',
    name: 'answer',
    dataset: null,
    weights: { status: 1 },
    budgetUsd: 1,
    baseVersion: 1,
    progress: startEvolution(plan, 'Judge the message.') as unknown as JsonObject,
    ...testAct(),
  });
  await evolutions.act(id, 'pause', testAct());
  return id;
}

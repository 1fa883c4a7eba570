import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { researchOutcomeSchema, type RunDocument } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { hangsAt, PAGES, QUESTION, researchModel, type Role } from '../testing/research-model.js';
import { WHOLE_SYSTEM_MS } from '../testing/whole-system-limit.js';
import { worldOn } from '../testing/world.js';

/** Role that gets no answer from the provider; null: every role gets one. */
export const HANGING: readonly (Role | null)[] = ['analyst', 'critic', 'writer', null];

export interface DeadlineRun {
  databaseUrl: string;
  cases: number;
  atOnce: number;
  /** The time T that each run has, in milliseconds. */
  withinMs: number;
  seed: number;
}

/** Result of one run. */
export interface Ended {
  hung: Role | null;
  /** Time from acceptance to the verdict, in milliseconds. */
  tookMs: number;
  run: RunDocument;
}

/**
 * Runs researches that must end within T, several at a time. The provider hangs in a role drawn from the
 * seed.
 */
export async function endInTime({
  databaseUrl,
  cases,
  atOnce,
  withinMs,
  seed,
}: DeadlineRun): Promise<Ended[]> {
  const folder = temporaryFolder('deadline');
  const [config, pages] = [join(folder, 'config.yaml'), join(folder, 'pages.json')];
  writeFileSync(pages, JSON.stringify(PAGES));
  // Roles have ten minutes, so only the run's own time limit ends a call that hangs. Circuits stay closed.
  const roles = 'analystTimeoutMs: 600000, criticTimeoutMs: 600000, writerTimeoutMs: 600000';
  writeFileSync(
    config,
    `evidence: { pages: '${pages}' }
calls: { circuit: { openAfter: 10000 } }
playbooks: { research: { endWithinMs: ${withinMs}, ${roles} } }
`,
  );
  const world = await worldOn(databaseUrl, 'postgres', researchModel(), { CASEFILE_CONFIG: config });
  const random = randomFrom(seed);
  const drawn = Array.from({ length: cases }, () => HANGING[Math.floor(random() * HANGING.length)] ?? null);
  const one = async (hung: Role | null, i: number): Promise<Ended> => {
    const query = `${QUESTION.query}第${i + 1}題${hung === null ? '' : hangsAt(hung)}`;
    const { caseId } = await world.accept({ playbook: 'research', payload: { ...QUESTION, query } });
    const [run] = (await world.ended(caseId, withinMs + WHOLE_SYSTEM_MS)).runs;
    if (run === undefined) throw new Error(`case ${caseId} has no run`);
    return { hung, tookMs: Date.parse(run.decidedAt ?? '') - Date.parse(run.createdAt), run };
  };
  try {
    const ended: Ended[] = [];
    for (let first = 0; first < cases; first += atOnce)
      ended.push(
        ...(await Promise.all(drawn.slice(first, first + atOnce).map((hung, i) => one(hung, first + i)))),
      );
    return ended;
  } finally {
    await world.close();
  }
}

/** Returns the outcome of a run. */
export const outcomeOf = ({ run }: Ended) => researchOutcomeSchema.parse(run.verdict?.outcome);

// Returns the generator of Numerical Recipes: the same seed draws the same roles.
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

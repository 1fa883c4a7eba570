import { InvalidInput, z, type RunDiff } from '@casefile/contracts';
import { diffRuns } from '@casefile/pipeline';
import type { Handler } from '../http/route.js';
import { runOf } from './get-run.js';

export const diffOfRunsInput = { params: z.object({ a: z.string().max(100), b: z.string().max(100) }) };

/** In what two runs of one kind of case differ, and where they parted. @throws CasefileError `not_found`. */
export const diffOfRuns: Handler<typeof diffOfRunsInput, RunDiff> = async ({ store }, { params }) => {
  const [a, b] = await Promise.all([runOf(store, params.a), runOf(store, params.b)]);
  if (a.settings.playbook === b.settings.playbook) return diffRuns(a, b);
  const message = `expected two runs of one kind; they are of ${a.settings.playbook} and ${b.settings.playbook}`;
  throw new InvalidInput([{ path: 'b', message }], 'path');
};

import { CasefileError, z, type RunDocument, type ShownRun } from '@casefile/contracts';
import type { ConsolePorts } from '../console-ports.js';
import type { Handler } from '../http/route.js';
import { shownRun } from './get-case.js';

export const getRunInput = { params: z.object({ runId: z.string().max(100) }) };

/** A run with everything on its record. @throws CasefileError `not_found`. */
export const getRun: Handler<typeof getRunInput, ShownRun> = async ({ store, playbooks }, { params }) => {
  const run = await runOf(store, params.runId);
  return shownRun(run, playbooks.find(({ name }) => name === run.settings.playbook)?.presenting);
};

/** @throws CasefileError `not_found` when there is no such run. */
export async function runOf(
  store: Pick<ConsolePorts['store'], 'record'>,
  runId: string,
): Promise<RunDocument> {
  const run = await store.record.getRun(runId);
  if (run === null) throw new CasefileError('not_found', `no run has the id "${runId}"`);
  return run;
}

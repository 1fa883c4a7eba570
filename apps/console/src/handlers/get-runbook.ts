import { CasefileError, z, type RunbookDocument } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const getRunbookInput = { params: z.object({ name: z.string().max(100) }) };

/** One runbook with every text it had. */
export const getRunbook: Handler<typeof getRunbookInput, RunbookDocument> = async (
  { runbooks },
  { params },
) => {
  const found = await runbooks.getRunbook(params.name);
  if (found === null) throw new CasefileError('not_found', `no runbook has the name "${params.name}"`);
  return found;
};

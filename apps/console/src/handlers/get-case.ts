import { CasefileError, z, type CaseDocument } from '@casefile/contracts';
import type { Handler } from '../http/route.js';
import { costOf, type Cost } from '../run-cost.js';
import { newestEvidence } from '../newest-evidence.js';

export const getCaseInput = { params: z.object({ caseId: z.string().max(100) }) };

/** A case with everything on its record; each run with its evidence and what its model calls cost. */
export const getCase: Handler<typeof getCaseInput> = async ({ store }, { params }) => {
  const found = isId(params.caseId) ? await store.getCase(params.caseId) : null;
  if (found === null) throw new CasefileError('unknown_case', `no case has the id "${params.caseId}"`);
  return withDerived(found);
};

/** The document as the API shows it. */
export type ShownCase = Omit<CaseDocument, 'runs'> & {
  runs: (CaseDocument['runs'][number] & { evidence: ReturnType<typeof newestEvidence>; cost: Cost })[];
};

function withDerived(document: CaseDocument): ShownCase {
  const runs = document.runs.map((run) => ({
    ...run,
    evidence: newestEvidence(run.artifacts),
    cost: costOf(run.interactions),
  }));
  return { ...document, runs };
}

function isId(text: string): boolean {
  return z.guid().safeParse(text).success;
}

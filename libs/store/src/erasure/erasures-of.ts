import type { CaseErasure } from '@casefile/contracts';
import type { Queryable } from '../database.js';
import { iso } from '../rows.js';

const OF_CASE = `select at, "by", reason, classes from case_erasures where case_id = $1 order by at, id`;

/** Returns the erasures of a case, oldest first. */
export async function erasuresOf(on: Queryable, caseId: string): Promise<CaseErasure[]> {
  const rows = await on.rows<Omit<CaseErasure, 'at'> & { at: Date }>(OF_CASE, [caseId]);
  return rows.map((row) => ({ ...row, at: iso(row.at) }));
}

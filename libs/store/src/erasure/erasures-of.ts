import type { CaseErasure, ErasedCase } from '@casefile/contracts';
import type { Queryable } from '../database.js';
import { atUs, pageOf, placeOfCursor, timeOfPlace } from '../record/cursor.js';
import { iso } from '../rows.js';

const OF_CASE = `select at, "by", reason, classes from case_erasures where case_id = $1 order by at, id`;

/** Returns the erasures of a case, oldest first. */
export async function erasuresOf(on: Queryable, caseId: string): Promise<CaseErasure[]> {
  const rows = await on.rows<Omit<CaseErasure, 'at'> & { at: Date }>(OF_CASE, [caseId]);
  return rows.map((row) => ({ ...row, at: iso(row.at) }));
}

const PAGE = `
  select id, case_id, at, "by", reason, classes, ${atUs('at')} from case_erasures
  where $1::bigint is null or (at, id) > (${timeOfPlace('$1')}, $2::uuid)
  order by at, id limit $3`;

type PageRow = Omit<ErasedCase, 'at' | 'caseId'> & { id: string; case_id: string; at: Date; at_us: string };

/** Returns a page of all erasures, oldest first. @throws InvalidInput for a wrong cursor. */
export async function erasedCases(
  on: Queryable,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ erased: ErasedCase[]; nextCursor: string | null }> {
  const place = cursor === undefined ? null : placeOfCursor(cursor);
  const rows = await on.rows<PageRow>(PAGE, [place?.createdAt ?? null, place?.id ?? null, limit + 1]);
  const { page, nextCursor } = pageOf(rows, limit);
  const erased = page.map(({ case_id: caseId, at, by, reason, classes }) => ({
    caseId,
    at: iso(at),
    by,
    reason,
    classes,
  }));
  return { erased, nextCursor };
}

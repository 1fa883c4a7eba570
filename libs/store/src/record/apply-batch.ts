import {
  planProposal,
  type AppliedMember,
  type ProposalPlan,
  type ProposedVerdict,
} from '@casefile/contracts';
import type { Queryable } from '../database.js';
import { WithClause } from '../row-set.js';
import * as sql from './apply-batch-sql.js';

type Planned = ProposalPlan & Pick<ProposedVerdict, 'isDelivered'> & { position: number };

/**
 * Applies verdicts of a batch in one transaction. It takes the lock that acts of people take, so an answer and a
 * proposed verdict are never decided from the same state of the case. A member whose correction is being sent stays.
 */
export async function applyMembers(
  tx: Queryable,
  batchId: string,
  members: readonly AppliedMember[],
): Promise<void> {
  const planned = await plans(tx, batchId, members);
  const cancel = planned.flatMap((plan) => plan.cancel);
  if (cancel.length > 0) await tx.rows(sql.CANCEL_CORRECTIONS, [cancel]);
  const rows = planned.map(({ position, result, sends, isDelivered }) => ({
    position,
    result,
    sends,
    isDelivered,
  }));
  const applied = new Set(
    planned.filter(({ result }) => result === 'applied').map(({ position }) => position),
  );
  const sessions = members.flatMap(({ position, effects }) =>
    applied.has(position) ? effects.map((session) => ({ position, ...session })) : [],
  );
  const { text, params } = new WithClause(batchId)
    .rows(sql.PLANNED_MEMBERS, rows)
    .rows(sql.APPLIED_SESSIONS, sessions, sql.APPLY_VERDICTS)
    .statement(sql.MARK_APPLIED);
  await tx.rows(text, params);
}

async function plans(tx: Queryable, batchId: string, members: readonly AppliedMember[]): Promise<Planned[]> {
  const params = [batchId, members.map(({ position }) => position)];
  const locked = await tx.rows<{ position: number; is_current: boolean }>(sql.LOCK_TO_APPLY, params);
  const facts = await tx.rows<FactsRow>(sql.FACTS_TO_APPLY, params);
  const corrections = await tx.rows<CorrectionRow>(sql.CORRECTIONS_TO_APPLY, params);
  return members.flatMap(({ position, change }): Planned[] => {
    const lock = locked.find((row) => row.position === position);
    const fact = facts.find((row) => row.position === position);
    // Another process has applied the member.
    if (lock === undefined || fact === undefined) return [];
    const isDelivered = fact.is_delivered;
    const plan = planProposal({
      change,
      isCurrent: lock.is_current,
      review: fact.review,
      isDelivered,
      corrections: corrections
        .filter((row) => row.position === position)
        .map(({ id, sent, is_leaving }) => ({ id, sent, isLeaving: is_leaving })),
    });
    return plan === null ? [] : [{ position, isDelivered, ...plan }];
  });
}

interface FactsRow {
  position: number;
  review: ProposedVerdict['review'];
  is_delivered: boolean;
}

interface CorrectionRow {
  position: number;
  id: string;
  sent: boolean;
  is_leaving: boolean;
}

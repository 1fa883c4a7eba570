import {
  InvalidInput,
  planProposal,
  type AppliedMember,
  type BatchChoice,
  type MemberToApply,
  type PreviewedMember,
  type ProposalPlan,
  type ProposedVerdict,
} from '@casefile/contracts';
import type { Queryable } from '../database.js';
import { WithClause } from '../row-set.js';
import * as sql from './apply-batch-sql.js';

type Planned = ProposalPlan & Pick<ProposedVerdict, 'isDelivered'> & { position: number };

/** Returns what applying would do now with chosen members, without locks. */
export async function previewMembers(
  on: Queryable,
  batchId: string,
  { caseIds = null, exceptCaseIds = null }: Nullable<BatchChoice>,
  after: number,
  limit: number,
): Promise<PreviewedMember[]> {
  const params = [batchId, caseIds, exceptCaseIds, after, limit];
  const members = await on.rows<MemberToApply>(sql.TO_PREVIEW, params);
  const planned = await plans(on, batchId, members, { forUpdate: false });
  return members.flatMap((member): PreviewedMember[] => {
    const plan = planned.find(({ position }) => position === member.position);
    return plan === undefined ? [] : [{ ...member, result: plan.result, sends: plan.sends }];
  });
}

/**
 * Leaves out the members that are not chosen.
 * @throws InvalidInput if the choice names a case that has no new verdict in the batch.
 */
export async function chooseMembers(tx: Queryable, batchId: string, choice: BatchChoice): Promise<void> {
  const { caseIds = null, exceptCaseIds = null }: Nullable<BatchChoice> = choice;
  const field = caseIds === null ? 'exceptCaseIds' : 'caseIds';
  const named = caseIds ?? exceptCaseIds ?? [];
  const withVerdict = await tx.rows<{ case_id: string }>(sql.WITH_VERDICT, [batchId, named]);
  const known = new Set(withVerdict.map(({ case_id }) => case_id));
  const unknown = named.findIndex((id) => !known.has(id.toLowerCase()));
  if (unknown >= 0)
    throw new InvalidInput(
      [{ path: `${field}[${unknown}]`, message: 'expected a case with a new verdict in this batch' }],
      'batch',
    );
  await tx.rows(sql.LEAVE_OUT, [batchId, caseIds, exceptCaseIds]);
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

/**
 * Applies verdicts of a batch in one transaction. It takes the lock that acts of people take, so an answer and a
 * proposed verdict are never decided from the same state of the case. A member whose correction is being sent stays.
 */
export async function applyMembers(
  tx: Queryable,
  batchId: string,
  members: readonly AppliedMember[],
): Promise<void> {
  const planned = await plans(tx, batchId, members, { forUpdate: true });
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

async function plans(
  on: Queryable,
  batchId: string,
  members: readonly Pick<AppliedMember, 'position'>[],
  { forUpdate }: { forUpdate: boolean },
): Promise<Planned[]> {
  const params = [batchId, members.map(({ position }) => position)];
  const current = byPosition(await on.rows<CurrentRow>(sql.membersOfCases(forUpdate), params));
  const facts = byPosition(await on.rows<FactsRow>(sql.FACTS_TO_APPLY, params));
  const corrections = await on.rows<CorrectionRow>(sql.corrections(forUpdate), params);
  return members.flatMap(({ position }): Planned[] => {
    const [member, fact] = [current.get(position), facts.get(position)];
    // Another process has applied the member.
    if (member === undefined || fact === undefined) return [];
    const isDelivered = fact.is_delivered;
    const plan = planProposal({
      change: member.change,
      isCurrent: member.is_current,
      review: fact.review,
      isDelivered,
      isWithheld: fact.is_withheld,
      corrections: corrections
        .filter((row) => row.position === position)
        .map(({ id, sent, is_leaving }) => ({ id, sent, isLeaving: forUpdate && is_leaving })),
    });
    return plan === null ? [] : [{ position, isDelivered, ...plan }];
  });
}

function byPosition<T extends { position: number }>(rows: readonly T[]): Map<number, T> {
  return new Map(rows.map((row) => [row.position, row]));
}

interface CurrentRow {
  position: number;
  change: ProposedVerdict['change'];
  is_current: boolean;
}

interface FactsRow {
  position: number;
  review: ProposedVerdict['review'];
  is_delivered: boolean;
  is_withheld: boolean;
}

interface CorrectionRow {
  position: number;
  id: string;
  sent: boolean;
  is_leaving: boolean;
}

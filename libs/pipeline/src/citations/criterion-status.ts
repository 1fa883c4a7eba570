import { InvalidInput, type CriterionStatus } from '@casefile/contracts';

/** S4-22: below this an answer is not given. */
export const ABSTAIN_BELOW = 0.65;

export interface CriterionAnswer {
  status: CriterionStatus;
  /** 0..1. */
  confidence: number;
}

export interface ConfidenceRules {
  /** Verified citations of all that were given, 0..1. */
  share: number;
  /** Is the confidence never more than that share? The playbook says so. */
  capByShare: boolean;
  /** 0..1; absent: `ABSTAIN_BELOW`. */
  abstainBelow?: number;
}

/** An answer after its citations were looked at: its confidence capped, and withheld when too little is left. S4-21, S4-22. */
export function settledAnswer(
  { status, confidence }: CriterionAnswer,
  { share, capByShare, abstainBelow = ABSTAIN_BELOW }: ConfidenceRules,
): CriterionAnswer & { reasonCode: 'low_confidence' | null } {
  const given = Number.isFinite(confidence) ? Math.min(1, Math.max(0, confidence)) : 0;
  const left = capByShare ? Math.min(given, share) : given;
  if (status === 'UNCERTAIN' || left >= abstainBelow) return { status, confidence: left, reasonCode: null };
  return { status: 'UNCERTAIN', confidence: left, reasonCode: 'low_confidence' };
}

export type CombinationRule = { rule: 'all' } | { rule: 'any' } | { rule: 'n-of-m'; n: number };

/**
 * What a case comes to: MET once enough criteria are met, NOT_MET once too few can still be, else UNCERTAIN. S4-23.
 * @throws InvalidInput `combine.n` when it is not a whole number from 1 to the number of criteria, `criteria` when there is none.
 */
export function combinedStatus(
  statuses: readonly CriterionStatus[],
  combine: CombinationRule,
): CriterionStatus {
  const total = statuses.length;
  if (total === 0)
    throw new InvalidInput([{ path: 'criteria', message: 'expected at least one' }], 'case bundle');
  const needed = combine.rule === 'all' ? total : combine.rule === 'any' ? 1 : combine.n;
  if (!Number.isInteger(needed) || needed < 1 || needed > total)
    throw new InvalidInput(
      [{ path: 'combine.n', message: `expected a whole number from 1 to ${total}` }],
      'case bundle',
    );
  const met = statuses.filter((status) => status === 'MET').length;
  const open = statuses.filter((status) => status === 'UNCERTAIN').length;
  if (met >= needed) return 'MET';
  return met + open < needed ? 'NOT_MET' : 'UNCERTAIN';
}

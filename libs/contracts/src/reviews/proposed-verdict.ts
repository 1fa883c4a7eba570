import { ALL_RULES, type DisabledRules } from '../transitions/rules.js';
import { isAnswered, type CorrectionRow, type ReviewStanding } from './review-acts.js';

/**
 * How a new verdict differs from the one that it is to replace. `message`: in the parts that receivers act on.
 * `basis`: only the earlier verdict is degraded. `none`: receivers would do the same, on the same basis.
 */
export const VERDICT_CHANGES = ['message', 'basis', 'none'] as const;
export type VerdictChange = (typeof VERDICT_CHANGES)[number];

/** A new verdict that a batch proposes for a case, and the state of the case. */
export interface ProposedVerdict {
  change: VerdictChange;
  /** Whether the case still shows the run that was repeated. */
  isCurrent: boolean;
  /** State of the review of the run that was repeated; null: no person acted on its verdict. */
  review: ReviewStanding['state'] | null;
  /** Whether verdicts of the case are delivered. Verdicts of a data set are not. */
  isDelivered: boolean;
  /** Whether receivers do not have the verdict of the repeated run, because a silence withheld it. */
  isWithheld: boolean;
  /** Corrections of the repeated run that are or will be sent, oldest first. */
  corrections: readonly (Pick<CorrectionRow, 'id' | 'sent'> & {
    /** Whether a process has begun to send it and has not finished. */
    isLeaving: boolean;
  })[];
}

/**
 * `applied`: the case shows the new verdict. `by_person`: a person decided the case, so it keeps that verdict.
 * `overtaken`: it keeps a newer verdict. `unchanged`: it keeps its verdict, because the new one is the same.
 */
export const PROPOSAL_RESULTS = ['applied', 'by_person', 'overtaken', 'unchanged'] as const;
export type ProposalResult = (typeof PROPOSAL_RESULTS)[number];

export interface ProposalPlan {
  result: ProposalResult;
  /** Whether the new verdict is delivered. */
  sends: boolean;
  /** Corrections that must not be sent any more. */
  cancel: string[];
}

/**
 * Returns the effect of a proposed verdict on its case. The answer of a person yields to no proposal. A message
 * is sent only if receivers act on something that has changed, so the last message agrees with the verdict.
 * @returns null: a correction is being sent. Repeat the call when it has been sent, so that the order is kept.
 */
export function planProposal(
  proposed: ProposedVerdict,
  disabled: DisabledRules = ALL_RULES,
): ProposalPlan | null {
  const { change, isCurrent, review, isDelivered, isWithheld, corrections } = proposed;
  const kept = (result: ProposalResult): ProposalPlan => ({ result, sends: false, cancel: [] });
  if (!isCurrent) return kept('overtaken');
  if (isAnswered(review) && !disabled.has('person')) return kept('by_person');
  if (change === 'none' && !disabled.has('unchanged')) return kept('unchanged');
  if (corrections.some(({ isLeaving }) => isLeaving)) return null;
  // Receivers have the verdict of a person who withdrew it, and the message that restores the earlier verdict
  // waits. The new verdict replaces this message.
  const cancel = corrections.filter(({ sent }) => !sent).map(({ id }) => id);
  return {
    result: 'applied',
    sends:
      isDelivered && (change === 'message' || isWithheld || cancel.length > 0 || disabled.has('unchanged')),
    cancel,
  };
}

import type { Verdict } from '../artifacts/index.js';
import type { JsonObject } from '../json.js';
import type { ReviewAct, ReviewActType, ReviewState } from '../reviews/review-acts.js';
import type { PendingDelivery } from './deliveries.js';

/** Limit of acts per case, so that its history stays readable. */
export const MOST_REVIEW_ACTS = 500;

/** Reasons why a verdict waits for a person. */
export const REVIEW_REASONS = ['degraded', 'rules', 'unsure'] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

/** An act to record. */
export interface NewReviewAct extends Pick<
  ReviewAct,
  'actId' | 'by' | 'note' | 'outcome' | 'part' | 'assignee' | 'until' | 'bulk' | 'event'
> {
  act: ReviewActType;
  caseId: string;
  /** The run whose verdict the person saw. An act on an earlier verdict is refused. Default: any. */
  runId?: string;
  /** The act to undo. Default: the person's newest one. */
  undoes?: string;
  /** The corrected verdict, if the act corrects one; null: it does not. */
  verdict: Verdict | null;
  /** Ids of the rows that the act may write. */
  ids: { label: string; delivery: string };
  /** When the finding was made, for the label. Default: now. */
  foundAt?: string;
  /** Time of the act and time at which its correction leaves, in milliseconds since the epoch. */
  now: number;
  sendAt: number;
}

export interface ReviewQuery {
  state: ReviewState;
  playbook?: string;
  assignee?: string;
  reason?: ReviewReason;
  /** Only verdicts with a lower confidence, from 0 to 1. */
  confidenceBelow?: number;
  /** Decided from this time on, and until this time. */
  from?: string;
  to?: string;
  /** Words of the alert. */
  q?: string;
  sort: 'oldest' | 'newest';
  cursor?: string;
  limit: number;
  now: number;
}

/** A case on the review desk, for lists. */
export interface ReviewItem {
  caseId: string;
  runId: string;
  playbook: string;
  /** The first characters of the newest alert's text. */
  text: string;
  alertCount: number;
  /** When the verdict was decided, in ISO 8601. */
  since: string;
  state: ReviewState;
  assignee: string | null;
  snoozedUntil: string | null;
  /** The verdict of the run. */
  verdict: JsonObject;
}

/** A page of the review desk. */
export interface ReviewPage {
  reviews: ReviewItem[];
  nextCursor: string | null;
  /** As in `CasePage`. */
  searchableTo: string | null;
}

/** A case on the review desk with all acts of people. */
export interface ReviewDetail extends ReviewItem {
  /** The newest answer of each person. */
  answers: ReviewAct[];
  /** All acts of people, oldest first. */
  history: ReviewAct[];
  /** The verdict in force. */
  standing: JsonObject;
  /** State of the correction in force; null: the verdict of the run is in force and was never replaced. */
  correction: { deliveryId: string; dueAt: string | null; sentAt: string | null } | null;
  /** People who have the case open. */
  viewers: string[];
}

/** Verdicts of one kind of case that wait for a person. */
export interface WaitingReviews {
  playbook: string;
  count: number;
  /** Verdicts that have waited for longer than the settings allow. */
  overdue: number;
  /** Time of the decision that has waited longest. */
  oldest: string;
}

/** A verdict that has waited for a person for too long. */
export interface OverdueReview {
  caseId: string;
  runId: string;
  playbook: string;
  /** When the verdict was decided, in ISO 8601. */
  since: string;
  withinHours: number;
  /** When it became overdue: the end of its time, or of its snooze if that is later. In ISO 8601. */
  overdueAt: string;
  verdict: JsonObject;
}

/** A place in the order of overdue reviews. */
export interface OverduePlace {
  /** Milliseconds since the epoch. */
  at: number;
  /** The last run of this time that was read; null: all of this time were read. */
  runId: string | null;
}

/** The review desk: verdicts that wait for a person, and the acts of people on them. */
export interface Reviews {
  /**
   * Records an act in one transaction with its event, its label and its correction. A repeated `actId` changes
   * nothing.
   * @returns whether the act was recorded before.
   * @throws CasefileError `unknown_case`; `conflict` if the case has no verdict or a newer one, if there is
   * nothing to undo, or if the id belongs to another act; `too_many`.
   */
  act(act: NewReviewAct): Promise<{ repeated: boolean }>;
  /** Returns a page of cases by the time of their verdicts. @throws InvalidInput for a wrong cursor. */
  list(query: ReviewQuery): Promise<ReviewPage>;
  /**
   * Counts the verdicts that wait, per kind of case, and those that have waited too long.
   * @param withinHours permitted hours by kind; `default` is for other kinds. Without either, none is
   * overdue.
   */
  waiting(now: number, withinHours: Readonly<Record<string, number>>): Promise<WaitingReviews[]>;
  /**
   * Returns verdicts that still wait and became overdue after the place `after` and until the time `until`, ordered by
   * time and run. Times are in milliseconds since the epoch.
   * @param withinHours as for `waiting`.
   */
  becameOverdue(
    after: OverduePlace,
    until: number,
    withinHours: Readonly<Record<string, number>>,
    limit: number,
  ): Promise<OverdueReview[]>;
  /** null: there is no such case, or it has no verdict. */
  get(caseId: string, now: number): Promise<ReviewDetail | null>;
  /** Records that a person has the case open. */
  view(caseId: string, person: string, now: number): Promise<void>;
  /**
   * Takes corrections of these playbooks that are due, the oldest one per case. A correction that was taken
   * can no longer be cancelled. If it is not marked as sent within 30 s, it is due again.
   */
  takeCorrections(now: number, limit: number, playbooks: readonly string[]): Promise<PendingDelivery[]>;
  markCorrectionsSent(deliveryIds: readonly string[], now: number): Promise<void>;
}

import type { JsonObject } from '../json.js';
import type { ConfidenceOrigin } from '../rollout/recalibration.js';

/** Columns by which verdicts are grouped on request. */
export const QUALITY_GROUPS = ['prompt', 'model', 'strategy', 'provider'] as const;
export type QualityGrouping = (typeof QUALITY_GROUPS)[number];

/** Verdicts for which figures are requested. */
export interface QualityQuery {
  /** Default: all kinds. */
  playbook?: string;
  /** Time of the decision, ISO 8601: from (inclusive), to (exclusive). */
  from: string;
  to: string;
  /** Default: one group per kind. */
  by?: QualityGrouping;
}

/**
 * Counts over the verdicts of one group. A label is a person's opinion of a verdict. The newest label counts.
 */
export interface VerdictCounts {
  playbook: string;
  /** Value of the grouping column; null: not grouped, or the run has no value. */
  group: string | null;
  verdicts: number;
  labelled: number;
  right: number;
  /** Number of verdicts with the disposition `act`, of those with a label, and of right ones among these. */
  acts: number;
  actsLabelled: number;
  actsRight: number;
  reviews: number;
  reviewsLabelled: number;
  reviewsRight: number;
  /** Labelled verdicts that were drawn at random from those that act or dismiss. */
  sampledLabelled: number;
  sampledRight: number;
  degraded: number;
  cited: number;
  verified: number;
  calls: number;
  unpriced: number;
  tokens: number;
  costUsd: number;
  /** Milliseconds from acceptance to verdict. */
  p50Ms: number;
  p95Ms: number;
}

/** Counts of one hour or day. */
export interface VerdictPeriod extends VerdictCounts {
  /** Start of the period, ISO 8601. */
  at: string;
}

/** Labelled verdicts of one source with the same stated confidence. Different sources are never added. */
export interface ForecastCount extends ConfidenceOrigin {
  /** Version of the recalibration that gave the confidence. null: none. */
  recalibration: number | null;
  confidence: number;
  labels: number;
  right: number;
}

/** Filter for labels. An omitted field matches every label. */
export type LabelQuery = Pick<QualityQuery, 'from' | 'to'> &
  Pick<ConfidenceOrigin, 'playbook'> &
  Partial<Omit<ConfidenceOrigin, 'playbook'>>;

/** Most labels that one query returns, the newest verdicts first. */
export const MOST_LABELS = 50_000;

/** The newest label of a verdict, with the confidence that was stated before any recalibration. */
export interface VerdictLabel extends ConfidenceOrigin {
  runId: string;
  caseId: string;
  confidence: number;
  /** Whether the person found the verdict right. */
  right: boolean;
  /** The deciding fields as they should have been. */
  outcome: JsonObject;
  by: string;
  /** Time of the label and of the verdict, ISO 8601. */
  at: string;
  decidedAt: string;
  /** The event of an upstream system, such as `chargeback`. null: the person labelled the verdict. */
  event: string | null;
  /** Whether the verdict was drawn at random for a check. */
  sampled: boolean;
}

/** Ages of the labels of one source, and their shares right in the older and the newer half of the verdicts. */
export interface LabelFacts extends ConfidenceOrigin {
  recalibration: number | null;
  /** Times of labels, ISO 8601. */
  oldest: string;
  newest: string;
  median: string;
  olderLabels: number;
  olderRight: number;
  newerLabels: number;
  newerRight: number;
  /** Whether the newest verdict of the kind and source has the same strategy, prompts and model. */
  isCurrent: boolean;
}

/** Look-ups of one tool that gave no answer. */
export interface MissingLookUp {
  playbook: string;
  /** Name of the tool, also of one that does not exist and that a model asked for. */
  tool: string;
  /** Cases with at least one such look-up. */
  cases: number;
  /** Cases per reason code, most cases first. A case can have several reasons. */
  reasons: { reason: string; cases: number }[];
}

/** Cross-examinations that one model answered. */
export interface ExaminerCounts {
  provider: string;
  model: string;
  examinations: number;
  /** Planted claims that it answered, and how many of them it called supported. */
  planted: number;
  supported: number;
  /** Labelled verdicts that it examined, and how many of these labels agree with its result. */
  labelled: number;
  agreed: number;
}

/** Labelled verdicts of one kind in two periods, of which the second follows the first. */
export interface PeriodLabels {
  playbook: string;
  earlierLabels: number;
  earlierRight: number;
  recentLabels: number;
  recentRight: number;
}

/** Figures of decided runs, stored separately so that a view scans neither artifacts nor interactions. */
export interface QualityFigures {
  /**
   * Reads the next events and stores figures of the runs decided in them. Idempotent.
   * @param sampleShare share of the live verdicts that act or dismiss which is drawn for a person, from 0 to
   * 1
   * @returns the number of events read; fewer than the limit: there are no more for now.
   */
  note(limit: number, sampleShare: number): Promise<number>;
  /** Returns one row per kind and group, most verdicts first. */
  counts(query: QualityQuery): Promise<VerdictCounts[]>;
  /** Returns one row per kind and period, oldest first. */
  series(query: QualityQuery, step: 'hour' | 'day'): Promise<VerdictPeriod[]>;
  /** Returns the stated confidences of labelled verdicts, by source. */
  forecasts(query: QualityQuery): Promise<ForecastCount[]>;
  /** Returns the labels of verdicts, oldest verdict first, without agreements in bulk. */
  labels(query: LabelQuery): Promise<VerdictLabel[]>;
  /** Returns the tools whose look-ups gave no answer in the most cases, one row per kind and tool. */
  missing(query: QualityQuery, limit: number): Promise<MissingLookUp[]>;
  /**
   * Returns counts per model that answered cross-examinations, most examinations first. A label agrees if the examiner
   * called all claims supported and the person found the verdict right, or if neither did.
   */
  examiners(query: QualityQuery): Promise<ExaminerCounts[]>;
  /** Returns age and drift of the labels of each source, without agreements in bulk. */
  labelFacts(query: QualityQuery): Promise<LabelFacts[]>;
  /** Counts the labelled verdicts that were decided from `from` on: before the time `recentFrom`, and after it. */
  periodLabels(from: string, recentFrom: string): Promise<PeriodLabels[]>;
}

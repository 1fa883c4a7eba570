import type { Brief, Draft, Evidence, Report, Review, RunSettings, Verdict } from '@casefile/contracts';

/** What came of one unit. */
export interface UnitResult {
  unit: string;
  brief: Brief;
  evidence: Evidence;
  draft: Draft;
  review: Review;
  report: Report;
}

/** Turns results into the verdict: thresholds are code and settings, never a model's word. */
export interface DecisionRule {
  /** Stands in the settings of each run. */
  name: string;
  /** What a verdict opens (an engagement session) is known by the id of its run. */
  decide(units: UnitResult[], settings: RunSettings, decidedAt: string, runId?: string): Verdict;
}

import type { Alert, Brief, Draft, Evidence, Outcome, Report, Review } from '@casefile/contracts';
import type { StagePorts } from './stage-ports.js';

/** Reads an alert: makes the brief that all later stages work from. */
export type Triage = (alert: Alert, ports: StagePorts) => Promise<Outcome<Brief>>;

export interface CollectInput {
  brief: Brief;
  /** The newest artifacts of earlier rounds. Both are missing in the first round. */
  previous: { draft?: Draft; evidence?: Evidence };
}

/** Ports of a stage, with the tools that its playbook lists. */
export interface CollectPorts extends StagePorts {
  playbook: { readonly tools: readonly string[] };
}

/** Collects the evidence of a round. Evidence of earlier rounds keeps its place and its ids. */
export type Collect = (input: CollectInput, ports: CollectPorts) => Promise<Outcome<Evidence>>;

export interface ReviewInput {
  brief: Brief;
  evidence: Evidence;
  draft: Draft;
  previous: { review?: Review };
}

/** Criticises a draft. */
export type Critique = (input: ReviewInput, ports: StagePorts) => Promise<Outcome<Review>>;

/** Input of a report: one unit of the run. */
export interface WriteInput {
  unit: string;
  brief: Brief;
  evidence: Evidence;
  draft: Draft;
  review: Review;
}

/** Writes the report of a run. A run has one report, however many units it has. */
export type Write = (
  units: readonly [WriteInput, ...WriteInput[]],
  ports: StagePorts,
) => Promise<Report> | Report;

/** The artifacts of one unit. */
export interface UnitResult extends WriteInput {
  report: Report;
}

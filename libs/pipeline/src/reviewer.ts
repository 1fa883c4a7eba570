import type { Brief, Draft, Evidence, Outcome, Review } from '@casefile/contracts';
import type { StagePorts } from './stage-ports.js';

export interface ReviewInput {
  brief: Brief;
  evidence: Evidence;
  draft: Draft;
  previous: { review?: Review };
}

/** How a draft is criticised. */
export interface Reviewer {
  review(input: ReviewInput, ports: StagePorts): Promise<Outcome<Review>>;
}

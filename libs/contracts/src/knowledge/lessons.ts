import { z } from 'zod';
import { personal, withheldSchema } from '../access/field-class.js';
import { scamPatternSchema, type ScamPattern } from './pattern-search.js';

/** Additions of a person's answer to the knowledge bases. */
export interface Lesson {
  caseId: string;
  runId: string;
  /** The act that gave the answer. */
  actId: string;
  by: string;
  /** Event of another system, such as `chargeback`; null: a person's own act. */
  event: string | null;
  /** Whether the answer only agrees with the verdict that the product had proposed. */
  ownProposal: boolean;
  /** Values that occur in a confirmed scam. */
  reports: { entityType: string; entityValue: string }[];
  /** Pattern to propose; null: none. */
  pattern: ScamPattern | null;
}

export const PROPOSAL_STATES = ['proposed', 'approved', 'rejected'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

/** A scam pattern that a confirmed case proposes. Its id is that of the case. */
export const patternProposalSchema = z.object({
  withheld: withheldSchema,
  id: z.string().describe('Id of the case.'),
  state: z.enum(PROPOSAL_STATES),
  pattern: personal(scamPatternSchema),
  by: z.string().describe('Who confirmed the verdict.'),
  event: z.string().nullable().describe('Event of another system; null: a person confirmed it.'),
  ownProposal: z
    .boolean()
    .describe('Whether the answer only agreed with the verdict that Casefile had proposed.'),
  at: z.string(),
  decidedBy: z.string().nullable().describe('Person who approved or rejected it; null: not decided yet.'),
  decidedAt: z.string().nullable(),
});
export type PatternProposal = z.infer<typeof patternProposalSchema>;

/** `GET /pattern-proposals`. */
export const patternProposalListSchema = z.object({
  withheld: withheldSchema,
  proposals: z.array(patternProposalSchema).describe('The oldest first.'),
  nextCursor: z.string().nullable().describe('For the next page; null on the last one.'),
});
export type PatternProposalList = z.infer<typeof patternProposalListSchema>;

/** `POST /pattern-proposals/{id}/state`. */
export const decideProposalSchema = z.strictObject({
  state: z.enum(['approved', 'rejected']),
  by: z.string().trim().min(1).max(200),
});

/** Lessons of confirmed cases: their scam reports, and the patterns that wait for approval. */
export interface Lessons {
  /**
   * Replaces the lesson of a case, with its scam reports. An approved or rejected pattern keeps its state.
   */
  learn(lesson: Lesson): Promise<void>;
  /** Removes the lesson of a case because its answer was withdrawn. An approved pattern is kept. */
  forget(caseId: string): Promise<void>;
  /** Returns proposals, the oldest first. @throws InvalidInput for a wrong cursor. */
  proposals(query: { state: ProposalState; cursor?: string; limit: number }): Promise<PatternProposalList>;
  /**
   * Approves a proposal, which imports its pattern, or rejects it. Repeating it changes nothing.
   * @returns null: there is no such proposal.
   */
  decide(caseId: string, state: 'approved' | 'rejected', by: string): Promise<PatternProposal | null>;
}

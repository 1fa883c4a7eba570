import { z } from 'zod';
import { jsonSchema, type JsonObject } from '../json.js';

/** Wire name of the tool that finds similar past cases. */
export const PAST_CASES_TOOL = 'past_cases';
/** Most past cases that are evidence of one case. */
export const MOST_PAST_CASES = 3;
/** Limits of the words by which cases are compared. */
export const PAST_CASE_BOUNDS = { keys: 10, terms: 80, characters: 300 } as const;

/** Words by which cases of one kind are compared. */
export interface CaseLikeness {
  /** Two cases without a common key are never similar. */
  keys: string[];
  /** The share of a case's terms that a past case has is the similarity of the two. */
  terms: string[];
}

/** A case with the outcome that a person confirmed. */
export interface PastCase extends CaseLikeness {
  caseId: string;
  runId: string;
  playbook: string;
  /** The act that gave the answer. */
  actId: string;
  /** The case in a line. */
  title: string;
  /** Deciding fields of the outcome, as the person confirmed or corrected them. */
  outcome: JsonObject;
  note: string | null;
  /** Whether the person agreed with the verdict; false: the person corrected it. */
  agreed: boolean;
  /** Time of the answer, ISO 8601. */
  confirmedAt: string;
}

/** A past case in the result of the tool. */
export const shownPastCaseSchema = z.object({
  caseId: z.uuid(),
  confirmedAt: z.string(),
  agreed: z.boolean(),
  similarity: z.number(),
  title: z.string(),
  outcome: z.record(z.string(), jsonSchema),
  note: z.string().nullable(),
});
export type ShownPastCase = z.infer<typeof shownPastCaseSchema>;

export interface PastCaseQuery extends CaseLikeness {
  playbook: string;
  /** The run that asks. Its own case is left out. */
  runId: string;
  limit: number;
}

/** Cases whose outcome a person confirmed. */
export interface PastCases {
  /** Adds a case, or replaces what was kept of it. */
  keep(pastCase: PastCase): Promise<void>;
  /** Removes a case, because its answer was taken back or no longer counts. */
  forget(caseId: string): Promise<void>;
  /** Returns similar cases, the most similar first, then the newest. */
  find(query: PastCaseQuery): Promise<ShownPastCase[]>;
}

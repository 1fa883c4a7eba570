import { z } from 'zod';
import { jsonObjectSchema } from '../json.js';
import { reusedAnswerSchema } from '../artifacts/evidence.js';

/** Which sources a research takes: S5-03. */
export const SOURCE_MODES = ['strict', 'discovery', 'monitor'] as const;
export type SourceMode = (typeof SOURCE_MODES)[number];

/** What the tiers say of a source; `tier` null is one that is in no tier. S5-13. */
export const reasoningMetadataSchema = z.strictObject({
  tier: z.number().int().min(1).max(5).nullable(),
  type: z.string(),
  /** The source's name as it came. */
  original_source: z.string(),
});

/** A search result as it came, in whatever of its forms, read into one. S5-04. */
export const foundItemSchema = z.object({
  url: z.string(),
  name: z.string(),
  site: z.string(),
  description: z.string(),
  /** Everything that the page says, as far as it was handed in: what citations are held against. */
  text: z.string(),
  /** ISO 8601 as it came; null: nobody says. */
  published: z.string().nullable(),
});
export type FoundItem = z.infer<typeof foundItemSchema>;

/** A source that passed the filter of its mode: the result of an evidence item. */
export const sourceSchema = foundItemSchema.extend({
  /** Before its tier was put before the description: a warning, for sources that are to be read with care. */
  warning: z.string().nullable(),
  /** The query that found it; null: it was handed in. */
  query: z.string().nullable(),
  _reasoning_metadata: reasoningMetadataSchema,
});
export type Source = z.infer<typeof sourceSchema>;

/** What can be wrong with a sentence or a citation of it. S5-22, S5-24. */
export const CHECK_PROBLEMS = [
  'no_citation',
  'unknown_id',
  'number_not_in_source',
  'date_not_in_source',
  'name_not_in_source',
  'quote_not_in_source',
  'nothing_shared',
  'tier_not_allowed',
  'tier_mismatch',
  'date_outside',
  'unit_differs',
  'comparative_differs',
  'other_quantity',
  'sources_overstated',
] as const;
export type CheckProblem = (typeof CHECK_PROBLEMS)[number];

/** Doubts about a sentence that do not mark it as unsupported. T-05, T-06. */
export const CHECK_WARNINGS = ['forum_as_fact', 'polarity_differs'] as const;
export type CheckWarning = (typeof CHECK_WARNINGS)[number];

/** A sentence of a report, held against the stored originals of what it cites. S5-28. */
export const checkedSentenceSchema = z.object({
  text: z.string(),
  ids: z.array(z.string()),
  /** `plain`: there is nothing in it that a source has to bear out. */
  state: z.enum(['verified', 'unsupported', 'plain']),
  problems: z.array(z.object({ code: z.enum(CHECK_PROBLEMS), what: z.string() })),
  /** Absent: none. */
  warnings: z.array(z.object({ code: z.enum(CHECK_WARNINGS), what: z.string() })).optional(),
  /** The words of each cited source that bear it out, as they stand there. */
  quotes: z.array(z.object({ id: z.string(), quote: z.string() })),
});
export type CheckedSentence = z.infer<typeof checkedSentenceSchema>;

export const CONFIDENCE_LEVELS = ['High', 'Medium', 'Low'] as const;
export type ConfidenceLevel = (typeof CONFIDENCE_LEVELS)[number];

/** How a pass of the analyst ended: a draft, a wish for more searches, the rules' extract, sources alone, or an error. */
export const DRAFT_KINDS = ['draft', 'search', 'extract', 'sources', 'error'] as const;

/** What a draft of a research holds. */
export const researchDraftSchema = z.object({
  kind: z.enum(DRAFT_KINDS),
  /** The pass of the analyst that it is of, from 1. */
  round: z.number().int(),
  /** Markdown; of a search, the newest draft before it. */
  draft: z.string(),
  reasoningChain: z.string(),
  /** Every query that was asked for so far, in the order of the rounds. */
  asked: z.array(z.string()),
  /** Why no further search is made; null: nothing ended it. */
  searchEnded: z.enum(['last-round', 'same-queries', 'nothing-new']).nullable(),
  /** S5-32: what kept it from a report; null: nothing. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Why the last pass of the analyst gave no draft of its own; null: it did. */
  failed: z.string().nullable(),
});
export type ResearchDraft = z.infer<typeof researchDraftSchema>;

/** What a review of a research holds. S5-22, S5-26. */
export const researchReviewSchema = z.object({
  /** As the critic gave it, before what is mechanical was laid over it; null: no critic was asked, or none answered. */
  said: z.enum(['PASS', 'WARN', 'REJECT']).nullable(),
  critique: z.string(),
  suggestions: z.array(z.string()),
  modeCompliance: z.enum(['符合', '違反']).nullable(),
  logicalGaps: z.array(z.string()),
  /** Ids of findings, beside those of the round before. */
  fresh: z.array(z.string()),
  repeated: z.array(z.string()),
  solved: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
  /** Did the loop end because the draft was good enough? */
  converged: z.boolean(),
  /** Why the loop ended where it did not converge; null: it did, or goes on. */
  endedBy: z.enum(['rounds', 'repeated', 'not-reviewed', 'no-draft', 'rules', 'analyst']).nullable(),
  /** The reason code of the critic that gave no answer; absent: it did, or was not to be asked. */
  criticFailed: z.string().optional(),
  /** Share of the draft's sentences that need a source and have one; null: no sentence needs a source. */
  share: z.number().min(0).max(1).nullable(),
});
export type ResearchReview = z.infer<typeof researchReviewSchema>;

/** What a report of a research holds besides its text. S5-24, S5-28. */
export const researchReportSchema = z.object({
  finalReport: z.string(),
  /** Who wrote it: the writer, the analyst whose draft it is, the rules, or nobody. */
  writtenBy: z.enum(['writer', 'analyst', 'rules', 'nobody']),
  /** Why the writer did not; null: it did, or was not to be asked. */
  writerFailed: z.string().nullable(),
  sourcesUsed: z.array(z.string()),
  confidenceLevel: z.enum(CONFIDENCE_LEVELS),
  /** What kept it from being higher, for people; empty: nothing did. */
  cappedBy: z.array(z.string()),
  sentences: z.array(checkedSentenceSchema),
  /** Share of the sentences that need a source and have one; null: no sentence needs a source. */
  share: z.number().min(0).max(1).nullable(),
});
export type ResearchReport = z.infer<typeof researchReportSchema>;

/** An item as it is handed out. S5-30. */
export const reportItemSchema = z.object({
  '@type': z.literal('Item'),
  url: z.string(),
  name: z.string(),
  site: z.string(),
  siteUrl: z.string(),
  score: z.number().int().min(0).max(100),
  description: z.string(),
  schema_object: jsonObjectSchema.optional(),
});
export type ReportItem = z.infer<typeof reportItemSchema>;

/** What a verdict of a research holds. */
export const researchOutcomeSchema = z.object({
  items: z.array(reportItemSchema),
  mode: z.enum(SOURCE_MODES),
  rounds: z.number().int(),
  converged: z.boolean(),
  notConverged: z.boolean(),
  ruling: z.enum(['PASS', 'WARN', 'REJECT']),
  confidenceLevel: z.enum(CONFIDENCE_LEVELS),
  /** Share of the sentences that need a source and have one; null: no sentence needs a source. */
  share: z.number().nullable(),
  sources: z.number().int(),
  summary: z.string(),
  error: z.string().nullable(),
  /** Addresses of sources that came without text that could be read. Default: none. */
  withoutText: z.array(z.string()).optional(),
  /** The case whose answer this is; absent: its own. */
  reused: reusedAnswerSchema.optional(),
  /** Did a role give no answer, so that the report is what there was without it? Absent: no. */
  partial: z.boolean().optional(),
});
export type ResearchOutcome = z.infer<typeof researchOutcomeSchema>;

import { z } from 'zod';
import { jsonObjectSchema } from '../json.js';
import { reusedAnswerSchema } from '../artifacts/evidence.js';

/** Modes that decide which sources a research accepts. */
export const SOURCE_MODES = ['strict', 'discovery', 'monitor'] as const;
export type SourceMode = (typeof SOURCE_MODES)[number];

/** The tier of a source. `tier` null: the source is in no tier. */
export const reasoningMetadataSchema = z.strictObject({
  tier: z.number().int().min(1).max(5).nullable(),
  type: z.string(),
  /** The source's name as received. */
  original_source: z.string(),
});

/** Details of how a page was read, by which a reader finds the same text again. */
export const pageRecordSchema = z.object({
  /** SHA-256 of the bytes of the page, in hex. */
  sha256: z.string(),
  readAt: z.string(),
  author: z.string().nullable(),
  /** BCP 47, as the page states it. */
  language: z.string().nullable(),
  /** Address that the page states for itself, on the same host. */
  canonical: z.string().nullable(),
});
export type PageRecord = z.infer<typeof pageRecordSchema>;

/** A search result, converted from any of its formats. */
export const foundItemSchema = z.object({
  url: z.string(),
  name: z.string(),
  site: z.string(),
  description: z.string(),
  /** The whole received text of the page. Citations are checked against it. */
  text: z.string(),
  /** Date of publication as received (ISO 8601). null: unknown. */
  published: z.string().nullable(),
  /** Default: the sender or the search supplied the text, and no page was read. */
  page: pageRecordSchema.optional(),
});
export type FoundItem = z.infer<typeof foundItemSchema>;

/** A source that the filter of its mode accepted: the result of an evidence item. */
export const sourceSchema = foundItemSchema.extend({
  /**
   * Warning for sources to be read with care. Only older records have one; now the tier precedes the
   * description.
   */
  warning: z.string().nullable(),
  /** The query that found it. null: supplied by the sender. */
  query: z.string().nullable(),
  _reasoning_metadata: reasoningMetadataSchema,
});
export type Source = z.infer<typeof sourceSchema>;

/** Problems of a sentence or of its citations. */
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

/** Doubts that do not mark a sentence as unsupported. */
export const CHECK_WARNINGS = ['forum_as_fact', 'polarity_differs'] as const;
export type CheckWarning = (typeof CHECK_WARNINGS)[number];

/** A sentence of a report, checked against the stored originals of its citations. */
export const checkedSentenceSchema = z.object({
  text: z.string(),
  ids: z.array(z.string()),
  /** `plain`: the sentence contains nothing that needs a source. */
  state: z.enum(['verified', 'unsupported', 'plain']),
  problems: z.array(z.object({ code: z.enum(CHECK_PROBLEMS), what: z.string() })),
  /** Default: none. */
  warnings: z.array(z.object({ code: z.enum(CHECK_WARNINGS), what: z.string() })).optional(),
  /** A cited source is in another language than the sentence: only figures and dates were compared with it. */
  otherLanguage: z.literal(true).optional(),
  /** The words of each cited source that support the sentence, verbatim. */
  quotes: z.array(z.object({ id: z.string(), quote: z.string() })),
});
export type CheckedSentence = z.infer<typeof checkedSentenceSchema>;

export const CONFIDENCE_LEVELS = ['High', 'Medium', 'Low'] as const;
export type ConfidenceLevel = (typeof CONFIDENCE_LEVELS)[number];

/**
 * Results of a pass of the analyst: a draft, a request for more searches, an extract by rules, sources only,
 * or an error.
 */
export const DRAFT_KINDS = ['draft', 'search', 'extract', 'sources', 'error'] as const;

/** Content of a research draft. */
export const researchDraftSchema = z.object({
  kind: z.enum(DRAFT_KINDS),
  /** The pass of the analyst, from 1. */
  round: z.number().int(),
  /** The draft as Markdown. For a search: the newest earlier draft. */
  draft: z.string(),
  reasoningChain: z.string(),
  /** Every requested query so far, in the order of the rounds. */
  asked: z.array(z.string()),
  /** Why no further search is made. null: searches may continue. */
  searchEnded: z.enum(['last-round', 'same-queries', 'nothing-new']).nullable(),
  /** The error that prevented a report. null: none. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Why the last pass of the analyst produced no draft. null: it did. */
  failed: z.string().nullable(),
});
export type ResearchDraft = z.infer<typeof researchDraftSchema>;

/** Content of a research review. */
export const researchReviewSchema = z.object({
  /** The critic's ruling before the mechanical checks. null: no critic answered. */
  said: z.enum(['PASS', 'WARN', 'REJECT']).nullable(),
  critique: z.string(),
  suggestions: z.array(z.string()),
  modeCompliance: z.enum(['符合', '違反']).nullable(),
  logicalGaps: z.array(z.string()),
  /** Ids of findings, compared with those of the round before. */
  fresh: z.array(z.string()),
  repeated: z.array(z.string()),
  solved: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
  /** Whether the loop ended because the draft was good enough. */
  converged: z.boolean(),
  /** Why the loop ended without convergence. null: it converged or continues. */
  endedBy: z.enum(['rounds', 'repeated', 'not-reviewed', 'no-draft', 'rules', 'analyst']).nullable(),
  /** Reason code if the critic gave no answer. Undefined: it answered, or was not called. */
  criticFailed: z.string().optional(),
  /**
   * Share of the draft's sentences that have a source, among those that need one. null: no sentence needs a
   * source.
   */
  share: z.number().min(0).max(1).nullable(),
});
export type ResearchReview = z.infer<typeof researchReviewSchema>;

/** Content of a research report besides its text. */
export const researchReportSchema = z.object({
  finalReport: z.string(),
  /** Author: the writer, the analyst whose draft it is, the rules, or no one. */
  writtenBy: z.enum(['writer', 'analyst', 'rules', 'nobody']),
  /** Why the writer failed. null: it wrote the report, or was not called. */
  writerFailed: z.string().nullable(),
  sourcesUsed: z.array(z.string()),
  confidenceLevel: z.enum(CONFIDENCE_LEVELS),
  /** Reasons that limited the confidence, for people. Empty: none. */
  cappedBy: z.array(z.string()),
  sentences: z.array(checkedSentenceSchema),
  /** Share of sentences that have a source, among those that need one. null: no sentence needs a source. */
  share: z.number().min(0).max(1).nullable(),
});
export type ResearchReport = z.infer<typeof researchReportSchema>;

/** An item as it is returned to clients. */
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

/** Content of a research verdict. */
export const researchOutcomeSchema = z.object({
  items: z.array(reportItemSchema),
  mode: z.enum(SOURCE_MODES),
  rounds: z.number().int(),
  converged: z.boolean(),
  notConverged: z.boolean(),
  ruling: z.enum(['PASS', 'WARN', 'REJECT']),
  confidenceLevel: z.enum(CONFIDENCE_LEVELS),
  /** Share of sentences that have a source, among those that need one. null: no sentence needs a source. */
  share: z.number().nullable(),
  sources: z.number().int(),
  summary: z.string(),
  error: z.string().nullable(),
  /** URLs of sources without readable text. Default: none. */
  withoutText: z.array(z.string()).optional(),
  /** The case whose answer was reused. Default: the answer is its own. */
  reused: reusedAnswerSchema.optional(),
  /** Whether a role gave no answer and the report was made without it. Default: false. */
  partial: z.boolean().optional(),
});
export type ResearchOutcome = z.infer<typeof researchOutcomeSchema>;

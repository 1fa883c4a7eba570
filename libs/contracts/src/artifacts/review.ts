import { z } from 'zod';
import { jsonObjectSchema } from '../json.js';

export const RULINGS = ['PASS', 'WARN', 'REJECT'] as const;

/** One thing the critic found; `id` is the same when the same thing is found again. */
export const findingSchema = z.object({ id: z.string(), code: z.string(), message: z.string() });
export type Finding = z.infer<typeof findingSchema>;

/** What the sources of a claim say of it. */
export const CLAIM_ANSWERS = ['supports', 'contradicts', 'not_in_it'] as const;
export type ClaimAnswer = (typeof CLAIM_ANSWERS)[number];

/** A claim of a draft with the answer of its cross-examination. */
export const examinedClaimSchema = z.object({
  /** Of the claim in its question: `C1`. */
  id: z.string(),
  text: z.string(),
  /** Ids of the sources that the draft cites for it. */
  sources: z.array(z.string()),
  answer: z.enum(CLAIM_ANSWERS),
  /** The words on which the answer rests, with the source that has them; null: the claim is not in its sources. */
  quote: z.object({ source: z.string(), words: z.string() }).nullable(),
});
export type ExaminedClaim = z.infer<typeof examinedClaimSchema>;

/** A second question to a model: do the sources of each claim of a draft support it? */
export const crossExaminationSchema = z.object({
  /** Every claim of the question; empty if there is no answer. */
  claims: z.array(examinedClaimSchema),
  /** The reason code if there is no usable answer; null: there is one. */
  failed: z.string().nullable(),
  promptId: z.string(),
});
export type CrossExamination = z.infer<typeof crossExaminationSchema>;

/** The critique of a draft. */
export const reviewSchema = z.object({
  ruling: z.enum(RULINGS),
  findings: z.array(findingSchema),
  reviewer: z.string(),
  /** Of the question that a model answered; absent: none was asked, or none answered. */
  promptId: z.string().optional(),
  /** How the review came about otherwise than meant, for example `fallback_provider`. */
  remarks: z.array(z.string()).optional(),
  /** The reviewer's own result, where its kind of case has one; the playbook knows its shape. */
  answer: jsonObjectSchema.optional(),
  /** Default: the verdict did not need a cross-examination. */
  crossExamination: crossExaminationSchema.optional(),
});
export type Review = z.infer<typeof reviewSchema>;

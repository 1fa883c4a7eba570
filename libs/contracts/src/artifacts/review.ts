import { z } from 'zod';
import { jsonObjectSchema } from '../json.js';
import { checkedClaimSchema } from './claims.js';

export const RULINGS = ['PASS', 'WARN', 'REJECT'] as const;

/** One finding of the critic. `id` stays the same when the critic reports the same finding again. */
export const findingSchema = z.object({ id: z.string(), code: z.string(), message: z.string() });
export type Finding = z.infer<typeof findingSchema>;

/** Results of comparing a claim with its sources. */
export const CLAIM_ANSWERS = ['supports', 'contradicts', 'not_in_it'] as const;
export type ClaimAnswer = (typeof CLAIM_ANSWERS)[number];

/** A claim of a draft with the answer of its cross-examination. */
export const examinedClaimSchema = z.object({
  /** Id of the claim in the question: `C1`. */
  id: z.string(),
  text: z.string(),
  /** Ids of the sources that the draft cites for it. */
  sources: z.array(z.string()),
  answer: z.enum(CLAIM_ANSWERS),
  /** The quoted words that support the answer, with their source. null: the claim is not in its sources. */
  quote: z.object({ source: z.string(), words: z.string() }).nullable(),
});
export type ExaminedClaim = z.infer<typeof examinedClaimSchema>;

/** Values by which a planted claim differs from the words of the record that it was made from. */
export const PLANTED_CHANGES = ['subject', 'figure', 'unit', 'time', 'polarity'] as const;
export type PlantedChange = (typeof PLANTED_CHANGES)[number];

/** A false claim that a program put among the claims of a question, to test the examiner. It is no claim of the draft. */
export const plantedClaimSchema = z.object({
  /** Id of the claim in the question, which does not tell it from the claims of the draft. */
  askedAs: z.string(),
  text: z.string(),
  sources: z.array(z.string()),
  change: z.enum(PLANTED_CHANGES),
  /** null: the examiner gave no usable answer. */
  answer: z.enum(CLAIM_ANSWERS).nullable(),
});
export type ExaminedPlanted = z.infer<typeof plantedClaimSchema>;

/** A second question to a model, about whether the sources of each claim in a draft support the claim. */
export const crossExaminationSchema = z.object({
  /** Every claim of the question. Empty if there is no answer. */
  claims: z.array(examinedClaimSchema),
  /** Reason code if there is no usable answer. null: there is one. */
  failed: z.string().nullable(),
  promptId: z.string(),
  /**
   * False claims of the question. Only the record, the case page and exports have them; stages after the critique do
   * not see them. Default: none were planted.
   */
  planted: z.array(plantedClaimSchema).optional(),
});
export type CrossExamination = z.infer<typeof crossExaminationSchema>;

/** The critique of a draft. */
export const reviewSchema = z.object({
  ruling: z.enum(RULINGS),
  findings: z.array(findingSchema),
  reviewer: z.string(),
  /** Prompt id of the question that a model answered. Undefined: no model answered. */
  promptId: z.string().optional(),
  /** Deviations of the review from its settings, for example `fallback_provider`. */
  remarks: z.array(z.string()).optional(),
  /** The reviewer's own result, if the playbook has one. The playbook knows its shape. */
  answer: jsonObjectSchema.optional(),
  /** Default: the verdict did not need a cross-examination. */
  crossExamination: crossExaminationSchema.optional(),
  /** Conclusions of the draft, compared with their sources by program. Default: the kind declares no claims. */
  claims: z.array(checkedClaimSchema).optional(),
});
export type Review = z.infer<typeof reviewSchema>;

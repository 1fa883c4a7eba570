import { z } from 'zod';
import { jsonObjectSchema } from '../json.js';

export const RULINGS = ['PASS', 'WARN', 'REJECT'] as const;

/** One thing the critic found; `id` is the same when the same thing is found again. */
export const findingSchema = z.object({ id: z.string(), code: z.string(), message: z.string() });
export type Finding = z.infer<typeof findingSchema>;

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
});
export type Review = z.infer<typeof reviewSchema>;

import { z } from 'zod';

/** Parts of a claim that a program compares with the words that it cites. */
export const CLAIM_DIMENSIONS = [
  'subject',
  'quantity',
  'time',
  'state',
  'scope',
  'modality',
  'order',
  'comparison',
  'clause',
] as const;
export type ClaimDimension = (typeof CLAIM_DIMENSIONS)[number];

/** Results of the comparison. What cannot be read is `not_checked`, which supports nothing. */
export const COMPARISON_RESULTS = ['holds', 'contradicted', 'not_checked'] as const;
export type ComparisonResult = (typeof COMPARISON_RESULTS)[number];

/** One part of a claim with the words of a source, and the result of the comparison. */
export const typedClaimSchema = z.object({
  dimension: z.enum(CLAIM_DIMENSIONS),
  /** The words of the claim, or their meaning. */
  stated: z.string(),
  /** The words of the source, or their meaning. */
  says: z.string(),
  /** Id of the source; null: no single source. */
  source: z.string().nullable(),
  result: z.enum(COMPARISON_RESULTS),
});
export type TypedClaim = z.infer<typeof typedClaimSchema>;

/** A conclusion of a draft with the parts that were compared. */
export const checkedClaimSchema = z.object({
  /** Id of the conclusion, as in the cross-examination. */
  id: z.string(),
  text: z.string(),
  /** `holds`: at least one part holds, none is contradicted, and the subject is named. */
  result: z.enum(COMPARISON_RESULTS),
  parts: z.array(typedClaimSchema),
});
export type CheckedClaim = z.infer<typeof checkedClaimSchema>;

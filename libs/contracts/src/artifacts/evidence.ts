import { z } from 'zod';
import { jsonSchema } from '../json.js';

/** One citable finding. `id` is stable within a run (`E1`, `E2`, ...). S1-10. */
export const evidenceItemSchema = z.object({
  id: z.string().min(1).max(32),
  toolName: z.string().min(1).max(100),
  entityType: z.string().max(64),
  entityValue: z.string().max(2048),
  /** The tool's own answer; null when it failed. */
  result: jsonSchema,
  success: z.boolean(),
  /** Why there is no answer (`not_configured`, `timeout`, ...): such an item is a gap, never absence. */
  reason: z.string().max(200).optional(),
  message: z.string().max(2000).optional(),
  /** Who was asked: a host, a table, a list. */
  source: z.string().max(500),
  /** When it was found, ISO 8601. */
  at: z.string(),
  durationMs: z.number().nonnegative(),
  /** true: the sender of the alert handed it in; no look-up of ours. */
  given: z.boolean().optional(),
});
export type EvidenceItem = z.infer<typeof evidenceItemSchema>;

export const evidenceSchema = z.object({ items: z.array(evidenceItemSchema) });
export type Evidence = z.infer<typeof evidenceSchema>;

/** Evidence as upstream hands it in: ids and times are given at intake when they are missing. */
export const givenEvidenceSchema = z.object({
  toolName: z.string().min(1).max(100),
  entityType: z.string().max(64).default(''),
  entityValue: z.string().max(2048).default(''),
  result: jsonSchema,
  success: z.boolean().default(true),
  reason: z.string().max(200).optional(),
  message: z.string().max(2000).optional(),
  source: z.string().max(500).default(''),
  at: z.string().optional(),
  durationMs: z.number().nonnegative().default(0),
});
export type GivenEvidence = z.infer<typeof givenEvidenceSchema>;

/** The questions that no tool could answer. */
export function gapsOf(evidence: Evidence): EvidenceItem[] {
  return evidence.items.filter((item) => !item.success);
}

import { z } from 'zod';
import { personal } from '../access/field-class.js';
import { jsonObjectSchema, jsonSchema } from '../json.js';

/** One citable item. `id` is stable within a run (`E1`, `E2`, ...). */
export const evidenceItemSchema = z.object({
  id: z.string().min(1).max(32),
  toolName: z.string().min(1).max(100),
  entityType: personal(z.string().max(64)),
  entityValue: personal(z.string().max(2048)),
  /** The tool's result. null: the tool failed. */
  result: personal(jsonSchema),
  success: z.boolean(),
  /**
   * Reason code of a failure (`not_configured`, `timeout`, ...). A failed item is a gap: it must not be read
   * as proof that something is absent.
   */
  reason: personal(z.string().max(200)).optional(),
  message: personal(z.string().max(2000)).optional(),
  /** Source of the result: a host, a table, a list. */
  source: personal(z.string().max(500)),
  /** Time of the result, ISO 8601. */
  at: z.string(),
  durationMs: z.number().nonnegative(),
  /** Whether the sender of the alert supplied the item, so that no tool was called. */
  given: z.boolean().optional(),
  /** Arguments of the tool, if the subject was no entity of the alert. */
  args: personal(jsonObjectSchema).optional(),
});
export type EvidenceItem = z.infer<typeof evidenceItemSchema>;

/**
 * A tool of an external server, frozen for a run from its first collect to its end, whatever the server lists
 * later.
 */
export const frozenToolSchema = z.object({
  /** The wire name. */
  name: z.string().min(1).max(100),
  /** The server that lists it. */
  source: z.string().min(1).max(100),
  description: z.string(),
  /** Display title from the server. Default: the server gives none. */
  title: z.string().max(200).optional(),
  /** Schema of the arguments (JSON Schema), exactly as the server sent it. */
  parameters: jsonObjectSchema,
  /** SHA-256 of the approved entry in the server's list: 64 hexadecimal digits. */
  hash: z.string(),
  /** Whether a case in which the tool failed is never closed automatically. */
  required: z.boolean(),
});
export type FrozenTool = z.infer<typeof frozenToolSchema>;

/**
 * A tool that the configuration allows but that could not be used: its server is down, or its entry is not
 * approved.
 */
export const toolOutSchema = z.object({
  name: z.string().min(1).max(100),
  why: z.string().max(2000),
  /** Like `required` of a usable tool. Default: false. */
  required: z.boolean().optional(),
});
export type ToolOut = z.infer<typeof toolOutSchema>;

/** A result or supplied item that is not evidence by the rules of the playbook. */
export const leftOutSchema = z.object({
  what: z.string().max(500),
  why: z.string().max(500),
  /** Details in the playbook's own format. */
  about: jsonObjectSchema,
});
export type LeftOut = z.infer<typeof leftOutSchema>;

/** The run whose answer another run has reused. */
export const reusedAnswerSchema = z.object({
  runId: z.string(),
  caseId: z.string(),
  decidedAt: z.string(),
  /** Time until which the answer is reused. */
  expiresAt: z.string(),
});
export type ReusedAnswer = z.infer<typeof reusedAnswerSchema>;

export const evidenceSchema = z.object({
  items: z.array(evidenceItemSchema),
  /** Results left out, in all rounds so far. Default: none. */
  leftOut: z.array(leftOutSchema).optional(),
  /** Tools of external servers that the run may call. Default: its settings name none. */
  tools: z.array(frozenToolSchema).optional(),
  /**
   * Tools of external servers that its settings name but that are unavailable. Default: its settings name
   * none.
   */
  toolsOut: z.array(toolOutSchema).optional(),
  /** The run whose evidence and answer are reused. Default: the evidence is the run's own. */
  reused: reusedAnswerSchema.optional(),
});
export type Evidence = z.infer<typeof evidenceSchema>;

/** Evidence supplied by the sender. The intake adds missing ids and times. */
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

/** Returns the items that no tool could answer. */
export function gapsOf(evidence: Evidence): EvidenceItem[] {
  return evidence.items.filter((item) => !item.success);
}

import { z } from 'zod';
import { jsonObjectSchema, jsonSchema } from '../json.js';

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
  /** What the tool was asked, where it was no entity of the alert. */
  args: jsonObjectSchema.optional(),
});
export type EvidenceItem = z.infer<typeof evidenceItemSchema>;

/** A tool of an outside server as a run has it from its first collect to its end, whatever the server lists later. S2-42. */
export const frozenToolSchema = z.object({
  /** The wire name. */
  name: z.string().min(1).max(100),
  /** The server that lists it. */
  source: z.string().min(1).max(100),
  description: z.string(),
  /** What people call it, as the server gives it. Default: it gives none. */
  title: z.string().max(200).optional(),
  /** Its arguments as a JSON Schema, word for word as the server gave it. */
  parameters: jsonObjectSchema,
  /** SHA-256 of its entry in the server's list, as it was approved: 64 hexadecimal digits. */
  hash: z.string(),
  /** A case in which it failed is not closed by itself. */
  required: z.boolean(),
});
export type FrozenTool = z.infer<typeof frozenToolSchema>;

/** A tool that the configuration allows and that could not be used: its server is down, its entry is not approved. */
export const toolOutSchema = z.object({
  name: z.string().min(1).max(100),
  why: z.string().max(2000),
  /** As of a tool that can be used; absent: no. */
  required: z.boolean().optional(),
});
export type ToolOut = z.infer<typeof toolOutSchema>;

/** Something that was found, or handed in, and is no evidence by the rules of its kind of case. */
export const leftOutSchema = z.object({
  what: z.string().max(500),
  why: z.string().max(500),
  /** The same in the kind's own words. */
  about: jsonObjectSchema,
});
export type LeftOut = z.infer<typeof leftOutSchema>;

/** The run whose answer another one has taken over. */
export const reusedAnswerSchema = z.object({
  runId: z.string(),
  caseId: z.string(),
  decidedAt: z.string(),
  /** Until when it is taken over. */
  expiresAt: z.string(),
});
export type ReusedAnswer = z.infer<typeof reusedAnswerSchema>;

export const evidenceSchema = z.object({
  items: z.array(evidenceItemSchema),
  /** What was found and left out, in all rounds so far; absent: nothing was. */
  leftOut: z.array(leftOutSchema).optional(),
  /** Tools of outside servers that the run may call; absent: its settings name none. */
  tools: z.array(frozenToolSchema).optional(),
  /** Of those that its settings name, the ones it has to do without; absent: its settings name none. */
  toolsOut: z.array(toolOutSchema).optional(),
  /** The run whose evidence this is, and whose answer is taken over; absent: it is the run's own. */
  reused: reusedAnswerSchema.optional(),
});
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

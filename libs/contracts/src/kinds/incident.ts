import { z } from 'zod';
import { jsonSchema } from '../json.js';
import { traceStepSchema } from './policy-check.js';

/** How bad the sender says it is; `unknown`: it does not say. */
export const SEVERITIES = ['critical', 'warning', 'info', 'unknown'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** What an incident comes to: wake somebody, leave it for working hours, nothing. S2-44. */
export const INCIDENT_ACTIONS = ['page', 'ticket', 'no-action'] as const;
export type IncidentAction = (typeof INCIDENT_ACTIONS)[number];

/** Words of something that was looked up, by its id (`E3`). */
export const readCitationSchema = z.object({ id: z.string().max(32), quote: z.string().max(2_000) });
export type ReadCitation = z.infer<typeof readCitationSchema>;

/** What is wrong with a citation: nothing has the id, its look-up failed, the words are not in it, they are too few to tell. */
export const READ_PROBLEMS = ['unknown_id', 'look_up_failed', 'quote_not_found', 'quote_too_short'] as const;
export type ReadProblem = (typeof READ_PROBLEMS)[number];

/** A possible root cause with what bears it out. S2-44. */
export const hypothesisSchema = z.object({
  cause: z.string(),
  /** 0 to 1, as the model gave it. */
  probability: z.number().min(0).max(1),
  citations: z.array(readCitationSchema),
});
export type Hypothesis = z.infer<typeof hypothesisSchema>;

/** A cause that it is not, and what says so. */
export const ruledOutSchema = z.object({ cause: z.string(), citations: z.array(readCitationSchema) });

export const RISKS = ['low', 'medium', 'high'] as const;
/** Something that a person may do now. */
export const incidentStepSchema = z.object({
  what: z.string(),
  risk: z.enum(RISKS),
  /** Can it be undone? */
  reversible: z.boolean(),
  /** What it takes away or stops: `drops data`. Such a step has a high risk and cannot be undone. Default: nothing known. */
  hazard: z.string().optional(),
  /** Is it a step of the runbook? Default: the model named it. */
  ofRunbook: z.literal(true).optional(),
});
export type IncidentStep = z.infer<typeof incidentStepSchema>;

/** One look-up of an investigation. */
export const lookUpSchema = z.object({
  id: z.string(),
  tool: z.string(),
  args: jsonSchema,
  /** The call on the record; null: it is an item of the evidence. */
  toolCallId: z.string().nullable(),
  source: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** How its answer begins, on one line; empty: there is none. */
  said: z.string(),
  /** Why there is no answer; null: there is one. A look-up without an answer is a gap, never absence. */
  gap: z.string().nullable(),
});
export type LookUp = z.infer<typeof lookUpSchema>;

/** The runbook that an investigation went by. */
export const runbookUsedSchema = z.object({
  /** Its item of the evidence. */
  id: z.string(),
  title: z.string(),
  /** Where it was read. */
  source: z.string(),
  /** Content hash or commit by which it is known. */
  pin: z.string(),
  /** By what it was found, for people. */
  why: z.string(),
  /** Others that fit as well. */
  ambiguous: z.array(z.string()),
});

/** Something that a model stated and nothing on the record proves. */
export const unprovenSchema = z.object({
  of: z.enum(['summary', 'impact', 'action']),
  text: z.string(),
  /** What is missing, for people. */
  why: z.string(),
});
export type Unproven = z.infer<typeof unprovenSchema>;

/** Something that happened, with where it is known from. */
export const momentSchema = z.object({
  /** ISO 8601. */
  at: z.string(),
  what: z.string(),
  /** Id of a look-up, or `alert`. */
  source: z.string(),
});
export type Moment = z.infer<typeof momentSchema>;

/** What the reasoner made of an incident; the report, the verdict and the pages show it. S2-44. */
export const incidentResultSchema = z.object({
  name: z.string(),
  severity: z.enum(SEVERITIES),
  /** When the sender said that it is over; null: it did not. */
  resolvedAt: z.string().nullable(),
  summary: z.string(),
  impact: z.object({ now: z.boolean(), what: z.string() }),
  hypotheses: z.array(hypothesisSchema),
  ruledOut: z.array(ruledOutSchema),
  steps: z.array(incidentStepSchema),
  /** What shows that nothing is wrong after all; null: nothing does. */
  falseAlarm: z.array(readCitationSchema).nullable(),
  /** Citations that did not hold. */
  refuted: z.array(readCitationSchema.extend({ problem: z.enum(READ_PROBLEMS) })),
  /** Causes that were named without anything read that bears them out. */
  dropped: z.array(z.string()),
  lookUps: z.array(lookUpSchema),
  /** What could not be looked up, for people. */
  gaps: z.array(z.string()),
  /** Of those, the tools that were needed. */
  requiredFailed: z.array(z.string()),
  runbook: runbookUsedSchema.nullable(),
  /** Analyses after each round, as the model gave them. */
  partial: z.array(z.object({ round: z.number().int(), text: z.string() })),
  trace: z.array(traceStepSchema),
  iterations: z.number().int(),
  model: z.string().nullable(),
  /** Why the look-ups had to end; null: the model stopped by itself, or none was asked. */
  endedBy: z.string().nullable(),
  /** Why the model stopped, in its words. */
  stopped: z.string().nullable(),
  /** Did the cause that the model took for the likeliest have no proof? Default: no. */
  likeliestDropped: z.literal(true).optional(),
  /** What of summary, impact and actions nothing proves. Default: runs of the first version did not check it. */
  unproven: z.array(unprovenSchema).optional(),
  /** What happened, the oldest first. Default: runs of the first version had none. */
  timeline: z.array(momentSchema).optional(),
});
export type IncidentResult = z.infer<typeof incidentResultSchema>;

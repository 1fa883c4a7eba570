import { z } from 'zod';
import { jsonSchema } from '../json.js';
import { SEVERITIES } from '../transitions/grade.js';
import { traceStepSchema } from './policy-check.js';

/** Actions for an incident: page a person now, open a ticket for working hours, or nothing. */
export const INCIDENT_ACTIONS = ['page', 'ticket', 'no-action'] as const;
export type IncidentAction = (typeof INCIDENT_ACTIONS)[number];

/** A quote from a look-up, by the id of the look-up (`E3`). */
export const readCitationSchema = z.object({ id: z.string().max(32), quote: z.string().max(2_000) });
export type ReadCitation = z.infer<typeof readCitationSchema>;

/**
 * Problems of a citation: unknown id, failed look-up, words not found in it, too few words to decide, words of several
 * lines.
 */
export const READ_PROBLEMS = [
  'unknown_id',
  'look_up_failed',
  'quote_not_found',
  'quote_too_short',
  'quote_spliced',
] as const;
export type ReadProblem = (typeof READ_PROBLEMS)[number];

/** A possible root cause with its citations. */
export const hypothesisSchema = z.object({
  cause: z.string(),
  /** Probability from 0 to 1, as the model gave it. */
  probability: z.number().min(0).max(1),
  citations: z.array(readCitationSchema),
});
export type Hypothesis = z.infer<typeof hypothesisSchema>;

/** A ruled-out cause with its citations. */
export const ruledOutSchema = z.object({ cause: z.string(), citations: z.array(readCitationSchema) });

export const RISKS = ['low', 'medium', 'high'] as const;
/** A step that a person may take now. */
export const incidentStepSchema = z.object({
  what: z.string(),
  risk: z.enum(RISKS),
  /** Whether the step can be undone. */
  reversible: z.boolean(),
  /**
   * The damage it may do: `drops data`. Such a step has a high risk and cannot be undone. Default: none
   * known.
   */
  hazard: z.string().optional(),
  /** Whether the step comes from the runbook. Default: the model named it. */
  ofRunbook: z.literal(true).optional(),
});
export type IncidentStep = z.infer<typeof incidentStepSchema>;

/** One look-up of an investigation. */
export const lookUpSchema = z.object({
  id: z.string(),
  tool: z.string(),
  args: jsonSchema,
  /** The call on the record. null: the look-up is an item of the evidence. */
  toolCallId: z.string().nullable(),
  source: z.string(),
  /** ISO 8601. */
  at: z.string(),
  /** The beginning of its answer, on one line. Empty: there is no answer. */
  said: z.string(),
  /**
   * Why there is no answer. null: there is one. A look-up without an answer is a gap: it must not be read as
   * proof that something is absent.
   */
  gap: z.string().nullable(),
});
export type LookUp = z.infer<typeof lookUpSchema>;

/** The runbook that an investigation used. */
export const runbookUsedSchema = z.object({
  /** Id of its evidence item. */
  id: z.string(),
  title: z.string(),
  /** Its file or URL. */
  source: z.string(),
  /** Content hash or commit that identifies it. */
  pin: z.string(),
  /** The rule by which it was found, for people. */
  why: z.string(),
  /** Other runbooks that match equally well. */
  ambiguous: z.array(z.string()),
});

/** A statement of a model that nothing on the record proves. */
export const unprovenSchema = z.object({
  of: z.enum(['summary', 'impact', 'action', 'cause']),
  text: z.string(),
  /** The missing proof, for people. */
  why: z.string(),
});
export type Unproven = z.infer<typeof unprovenSchema>;

/**
 * A cause as the record shows it, by a program. `confirmed`: it fits, and its rivals are refuted. `open`: neither confirmed
 * nor refuted. `refuted`: the record contradicts it.
 */
export const judgedCauseSchema = z.object({
  cause: z.string(),
  standing: z.enum(['confirmed', 'open', 'refuted']),
  /** Reason of the standing, for people. */
  why: z.string(),
});
export type JudgedCause = z.infer<typeof judgedCauseSchema>;

/** An event with its source. */
export const momentSchema = z.object({
  /** ISO 8601. */
  at: z.string(),
  what: z.string(),
  /** Id of a look-up, or `alert`. */
  source: z.string(),
});
export type Moment = z.infer<typeof momentSchema>;

/** The reasoner's result for an incident. The report, the verdict and the pages show it. */
export const incidentResultSchema = z.object({
  name: z.string(),
  severity: z.enum(SEVERITIES),
  /** Time at which the sender reported the end. null: not reported. */
  resolvedAt: z.string().nullable(),
  summary: z.string(),
  impact: z.object({ now: z.boolean(), what: z.string() }),
  hypotheses: z.array(hypothesisSchema),
  ruledOut: z.array(ruledOutSchema),
  steps: z.array(incidentStepSchema),
  /** Citations that show a false alarm. null: there are none. */
  falseAlarm: z.array(readCitationSchema).nullable(),
  /** Citations that failed the check. */
  refuted: z.array(readCitationSchema.extend({ problem: z.enum(READ_PROBLEMS) })),
  /** Causes without any citation that supports them. */
  dropped: z.array(z.string()),
  lookUps: z.array(lookUpSchema),
  /** Failed look-ups, for people. */
  gaps: z.array(z.string()),
  /** Required tools among the failed look-ups. */
  requiredFailed: z.array(z.string()),
  runbook: runbookUsedSchema.nullable(),
  /** Partial analyses after each round, as the model gave them. */
  partial: z.array(z.object({ round: z.number().int(), text: z.string() })),
  trace: z.array(traceStepSchema),
  iterations: z.number().int(),
  model: z.string().nullable(),
  /** Why the look-ups were ended. null: the model stopped on its own, or no model was called. */
  endedBy: z.string().nullable(),
  /** The model's own reason for stopping. */
  stopped: z.string().nullable(),
  /** Whether the likeliest cause of the model had no proof. Default: false. */
  likeliestDropped: z.literal(true).optional(),
  /** Unproven parts of summary, impact and actions. Default: `decide` has not checked them. */
  unproven: z.array(unprovenSchema).optional(),
  /** Newest values of the expression of the alert. Default: no source evaluated it. */
  measured: z
    .object({ citations: z.array(readCitationSchema), state: z.enum(['holds', 'over', 'value']) })
    .optional(),
  /** Rival causes of the model, compared with the record. Default: `decide` has not compared them. */
  causes: z.array(judgedCauseSchema).optional(),
  /** Events, the oldest first. Default: `decide` has not listed them. */
  timeline: z.array(momentSchema).optional(),
});
export type IncidentResult = z.infer<typeof incidentResultSchema>;

import { z } from 'zod';
import { EVENT_FACTS } from './access/event-facts.js';
import { personal, reasoning } from './access/field-class.js';
import { ARTIFACTS, alertSchema, verdictSchema, type ArtifactName } from './artifacts/index.js';
import { LANES } from './job.js';
import { caseErasureSchema } from './erasure.js';
import { jsonObjectSchema, jsonSchema } from './json.js';
import type { Charge } from './ports/budgets.js';
import { modelUsageSchema, REASONING_KINDS } from './ports/language-model.js';
import { RUN_STATUSES, UNIT_STATUSES } from './run-status.js';
import { caseSilenceSchema } from './ops-api-silences.js';
import { runSettingsSchema } from './settings.js';
import { signalRecordSchema } from './signal.js';
import { stormSummarySchema } from './storms/storm-summary.js';

export const CASE_STATUSES = ['open', 'decided', 'closed'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

export const INTERACTION_STATES = ['pending', 'completed', 'failed', 'ambiguous'] as const;
export type InteractionState = (typeof INTERACTION_STATES)[number];

export const TOOL_CALL_STATES = ['pending', 'running', 'succeeded', 'failed'] as const;
export type ToolCallState = (typeof TOOL_CALL_STATES)[number];

// The types and the API document derive from these schemas. Fields are only added, and only as optional ones,
// so that older records stay readable.

/** Values drawn once per (unit, stage, round), which must be the same on a second rendering. */
export const drawSchema = z.object({
  seed: reasoning(z.string()).describe('Hex; fence marks and canaries are derived from it and the step.'),
  deadlineAt: z
    .number()
    .nullable()
    .describe("When the strategy's time is over, milliseconds since the epoch; null: no deadline."),
  pausedMs: z
    .number()
    .optional()
    .describe(
      'How long no worker held the step before this was drawn; absent: 0. The deadline is extended by this time.',
    ),
  prompts: z
    .string()
    .optional()
    .describe('The set of texts that its prompts are rendered from; absent: it was not kept.'),
});
export type Draw = z.infer<typeof drawSchema>;

const stageKey = { runId: z.string(), unit: z.string(), stage: z.string(), round: z.int() };

/** Position in a run. */
export const stageKeySchema = z.object(stageKey);
export type StageKey = z.infer<typeof stageKeySchema>;

/**
 * Reasons for the choice of a model: the run's own (`first`), a fallback provider, or a cheaper model because
 * the budget was short.
 */
export const INTERACTION_ROUTES = ['first', 'fallback', 'cheaper'] as const;
export type InteractionRoute = (typeof INTERACTION_ROUTES)[number];

/** One language-model call on the record, of a stage or of one of its tool calls. */
export const interactionSchema = z.object({
  ...stageKey,
  id: z.string(),
  toolCallId: z
    .string()
    .nullable()
    .optional()
    .describe('The tool call that asked, whose steps are numbered by themselves; null or absent: the stage.'),
  step: z.int(),
  attempt: z.int(),
  provider: z.string(),
  model: z.string(),
  promptId: z.string(),
  requestHash: z.string(),
  request: reasoning(jsonObjectSchema),
  draw: drawSchema,
  state: z.enum(INTERACTION_STATES),
  response: reasoning(jsonSchema).describe("The provider's body as it was received; null: none was."),
  content: reasoning(z.string().nullable()).describe('The final answer as the strategy saw it.'),
  toolCalls: reasoning(jsonSchema),
  usage: modelUsageSchema,
  costUsd: z.number().nullable().describe('At list price; null: not known.'),
  latencyMs: z.number().nullable(),
  finishReason: z.string().nullable(),
  errorCode: z.string().nullable(),
  hasReasoning: z.boolean(),
  reasoningContent: reasoning(z.string().nullable()),
  reasoningSummary: reasoning(z.string().nullable()),
  reasoningSource: z.string().nullable(),
  reasoningKind: z
    .enum(REASONING_KINDS)
    .nullable()
    .optional()
    .describe('Which part of the reasoning the provider returned; unknown for calls older than this field.'),
  providerState: reasoning(jsonSchema)
    .optional()
    .describe('Provider data to return unchanged with the next turn.'),
  route: z
    .enum(INTERACTION_ROUTES)
    .nullable()
    .optional()
    .describe('How the model of the call was chosen; unknown for calls older than this field.'),
  readFrom: z
    .string()
    .nullable()
    .optional()
    .describe('The call of another run whose answer was read here, at no cost; null or absent: it was made.'),
  createdAt: z.string(),
});
export type Interaction = z.infer<typeof interactionSchema>;

/** Fields of an interaction that are set when its call ends. */
export type InteractionResult = Pick<
  Interaction,
  | 'id'
  | 'state'
  | 'provider'
  | 'model'
  | 'response'
  | 'content'
  | 'toolCalls'
  | 'usage'
  | 'costUsd'
  | 'latencyMs'
  | 'finishReason'
  | 'errorCode'
  | 'hasReasoning'
  | 'reasoningContent'
  | 'reasoningSummary'
  | 'reasoningSource'
  | 'reasoningKind'
  | 'providerState'
> & {
  /** Settles the reservations of the call. Undefined: nothing was reserved. */
  charge?: Charge;
};

/** One tool call on the record. Unique by (stage key, step, seq). */
export const toolCallSchema = z.object({
  ...stageKey,
  id: z.string(),
  step: z.int(),
  seq: z.int(),
  tool: z.string(),
  args: personal(jsonObjectSchema),
  state: z.enum(TOOL_CALL_STATES),
  attempts: z.int(),
  result: personal(jsonSchema),
  source: personal(z.string().nullable()),
  reasonCode: z.string().nullable(),
  message: personal(z.string().nullable()),
  durationMs: z.number().nullable(),
  readFrom: z
    .string()
    .nullable()
    .optional()
    .describe('The call of another run whose answer was read here; null or absent: it was made.'),
  createdAt: z.string(),
  settledAt: z.string().nullable(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** An artifact that a stage appended. */
export const artifactRecordSchema = stageKeySchema.omit({ stage: true }).extend({
  artifact: z.enum(Object.keys(ARTIFACTS) as ArtifactName[]),
  body: reasoning(jsonObjectSchema),
  createdAt: z.string(),
});
export type ArtifactRecord = z.infer<typeof artifactRecordSchema>;

/** One entry of the event log. `id` orders events; readers resume after the last event they saw. */
export const eventRecordSchema = z.object({
  id: z.string(),
  type: z.string(),
  caseId: z.string().nullable(),
  runId: z.string().nullable(),
  data: personal(jsonObjectSchema, { keep: EVENT_FACTS }),
  at: z.string(),
});
export type EventRecord = z.infer<typeof eventRecordSchema>;

/** State of one unit of a run. */
export const unitRecordSchema = z.object({
  unit: z.string(),
  status: z.enum(UNIT_STATUSES),
  stage: z.string().nullable(),
  round: z.int(),
  reasonCode: z.string().nullable(),
  message: personal(z.string().nullable()),
});
export type UnitRecord = z.infer<typeof unitRecordSchema>;

/** One pass of a case through the flow. */
export const runRecordSchema = z.object({
  id: z.string(),
  caseId: z.string(),
  alertId: z.string(),
  lane: z.enum(LANES),
  settings: runSettingsSchema,
  status: z.enum(RUN_STATUSES),
  stage: z.string().nullable().describe('Where it is due or was stopped; null when decided.'),
  round: z.int(),
  reasonCode: z.string().nullable(),
  message: personal(z.string().nullable()),
  verdict: verdictSchema.nullable(),
  createdAt: z.string(),
  decidedAt: z.string().nullable(),
});
export type RunRecord = z.infer<typeof runRecordSchema>;

export const caseRecordSchema = z.object({
  id: z.string(),
  playbook: z.string(),
  status: z.enum(CASE_STATUSES),
  alertCount: z.int(),
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** A run with everything on its record. */
export const runDocumentSchema = runRecordSchema.extend({
  units: z.array(unitRecordSchema),
  artifacts: z.array(artifactRecordSchema),
  toolCalls: z.array(toolCallSchema),
  interactions: z.array(interactionSchema),
  signals: z.array(signalRecordSchema).optional().describe('Questions to people, in order; absent: none.'),
  trace: z.array(eventRecordSchema),
});
export type RunDocument = z.infer<typeof runDocumentSchema>;

/** A case as one document. */
export const caseDocumentSchema = caseRecordSchema.extend({
  alerts: z.array(alertSchema),
  runs: z.array(runDocumentSchema),
  resolvedAt: z
    .string()
    .nullable()
    .optional()
    .describe('When the sender reported the alert as resolved; null: not reported, or firing again.'),
  leadingRunId: z
    .string()
    .nullable()
    .optional()
    .describe('The run whose verdict the case shows, or waits for.'),
  verdict: verdictSchema
    .nullable()
    .optional()
    .describe(
      "The verdict that stands: a person's correction, else that of the leading run; null: none yet.",
    ),
  silence: caseSilenceSchema
    .nullable()
    .optional()
    .describe('The silence that withheld the verdict of the leading run; null: none.'),
  storm: stormSummarySchema
    .nullable()
    .optional()
    .describe('The storm that its alert belongs to; null: its alert was judged separately.'),
  flaps: z.int().optional().describe('Recurrences that opened no run because they exceeded the limit.'),
  joinedBy: personal(z.string().nullable())
    .optional()
    .describe('Parts of the alert by which later alerts join this case; null: its content.'),
  isAnswered: z
    .boolean()
    .optional()
    .describe('Whether the answer of a person to the verdict of the leading run is in force.'),
  earlierAnswer: z
    .object({
      by: z.string(),
      at: z.string(),
      runId: z.string(),
      severity: z.string().nullable().describe('Severity in the verdict that the person answered.'),
    })
    .optional()
    .describe(
      'Newest answer of a person to an earlier verdict of the case, before an escalation or a new occurrence; absent: none, or a person answered the verdict that stands.',
    ),
  erasures: z
    .array(caseErasureSchema)
    .optional()
    .describe('Erasures of content, oldest first; absent: none. Erased artifacts are left out of the runs.'),
});
export type CaseDocument = z.infer<typeof caseDocumentSchema>;

/** A case in lists, with the facts of its newest run. */
export const caseSummarySchema = caseRecordSchema.extend({
  text: personal(z.string()).describe(
    'Names the newest alert, by the line that its kind declares. Empty: nothing in it names it.',
  ),
  run: runRecordSchema
    .pick({ id: true, lane: true, status: true, stage: true, round: true, verdict: true, decidedAt: true })
    .nullable(),
  costUsd: z.number().describe('Model calls of the newest run, in US dollars: sum of the known prices.'),
  hasReasoning: z.boolean().describe('Has any model call of the newest run reasoning on the record?'),
  standing: verdictSchema
    .nullable()
    .optional()
    .describe('The verdict that a person put in place of that of the newest run. Default: null.'),
});
export type CaseSummary = z.infer<typeof caseSummarySchema>;

// Responses of the ops API, below `/api/v1`: their schemas, from which the API document is generated, and
// their types. Fields are only ever added.
import { z } from 'zod';
import { personal, withheldSchema } from './access/field-class.js';
import { conditionSchema } from './ops-api-conditions.js';
import { providerFiguresSchema, modelProbeSchema } from './ops-api-providers.js';
import { alertSchema, evidenceItemSchema, imageSchema, verdictSchema } from './artifacts/index.js';
import { LANES } from './job.js';
import { BUDGET_MEASURES } from './ports/budgets.js';
import { modelUsageSchema } from './ports/language-model.js';
import { modelSpendSchema, roundFiguresSchema, verdictFiguresSchema } from './ports/pipeline-figures.js';
import { searchableTo } from './ops-api-reviews.js';
import { policyNodeSchema, policySectionSchema, policyVersionSchema } from './knowledge/policies.js';
import { presentationSchema } from './presentation.js';
import { queueDepthSchema } from './ports/queue.js';
import { caseDocumentSchema, caseRecordSchema, runDocumentSchema } from './record.js';
import { RUN_STATUSES } from './run-status.js';

const nextCursor = z.string().nullable().describe('For the next page; null on the last one.');

/** The facts of a verdict that a list shows. */
export const verdictBriefSchema = verdictSchema
  .pick({
    disposition: true,
    confidence: true,
    confidenceSource: true,
    method: true,
    degraded: true,
    degradedBy: true,
    degradedNote: true,
    decidedAt: true,
  })
  .extend({
    word: z.string().describe('The verdict in the words of its reader, such as `declined`.'),
    confidenceApplies: z.boolean().describe('As in the presentation of a run.'),
    action: z.string().nullable().describe("`outcome.action`; null where the playbook's outcome has none."),
    outcome: personal(z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])), {
      codes: true,
    }).describe(
      "Short values of the playbook's outcome: numbers, booleans, and texts of up to 100 characters.",
    ),
  });
export type VerdictBrief = z.infer<typeof verdictBriefSchema>;

/** Correction of a verdict by a person. */
export const shownCorrectionSchema = z.object({
  by: z.string(),
  at: z.string(),
  word: z.string().describe('The corrected verdict in the words of its reader.'),
  disposition: verdictSchema.shape.disposition,
});
export type ShownCorrection = z.infer<typeof shownCorrectionSchema>;

const correction = shownCorrectionSchema
  .nullable()
  .describe('Correction that replaces the verdict of the run; null: none.');

/** A verdict of a repeat that does not replace the answer of a person. */
export const shownProposalSchema = z.object({
  runId: z.string(),
  at: z.string(),
  word: z.string().describe('The proposed verdict in the words of its reader.'),
  disposition: verdictSchema.shape.disposition,
});
export type ShownProposal = z.infer<typeof shownProposalSchema>;

/** A case in a list, with the facts of its newest run. */
export const caseListEntrySchema = caseRecordSchema.omit({ id: true }).extend({
  caseId: z.string(),
  lane: z.enum(LANES).nullable(),
  runId: z.string().nullable(),
  runStatus: z.enum(RUN_STATUSES).nullable(),
  stage: z.string().nullable().describe('Where the run is due or was stopped; null when decided.'),
  round: z.int().nullable(),
  text: personal(z.string()).describe(
    'Names the newest alert, by the line that its kind declares. Empty: nothing in it names it.',
  ),
  verdict: verdictBriefSchema.nullable(),
  correction,
  costUsd: z.number().describe('Model calls of the newest run, in US dollars.'),
  hasReasoning: z.boolean().describe('Has any of its model calls reasoning on the record?'),
});
export type CaseListEntry = z.infer<typeof caseListEntrySchema>;

/** `GET /cases`. */
export const caseListSchema = z.object({
  withheld: withheldSchema,
  cases: z.array(caseListEntrySchema),
  nextCursor,
  searchableTo,
});
export type CaseList = z.infer<typeof caseListSchema>;

/** Totals of the model calls of a run. */
export const runCostSchema = modelUsageSchema.extend({
  usd: z.number().describe('Sum of the known prices, in US dollars.'),
  interactions: z.int(),
  unpriced: z.int().describe('Interactions without a known price, which `usd` does not include.'),
});
export type RunCost = z.infer<typeof runCostSchema>;

/** An alert for display: an image by its URL instead of its bytes. */
export const shownAlertSchema = alertSchema.extend({
  displayTitle: personal(z.string()).describe(
    'Names the alert: by the title that its kind declares, else by the text in its image. Empty: nothing names it.',
  ),
  image: personal(
    imageSchema.pick({ mediaType: true }).extend({
      url: z.string().describe('Path on this server.'),
      bytes: z.int().describe('Size in bytes.'),
    }),
  ).optional(),
});
export type ShownAlert = z.infer<typeof shownAlertSchema>;

export const shownRunSchema = runDocumentSchema.extend({
  withheld: withheldSchema,
  evidence: z.array(evidenceItemSchema).describe('Items of the newest round.'),
  gaps: z.array(evidenceItemSchema).describe('Those of `evidence` that no tool could answer.'),
  cost: runCostSchema,
  presentation: presentationSchema.nullable().describe('How the verdict is shown; null without one.'),
  view: z
    .string()
    .nullable()
    .describe(
      'The view of its own by which the kind is shown, also before the verdict; null: the common one.',
    ),
});
export type ShownRun = z.infer<typeof shownRunSchema>;

/** `GET /cases/{caseId}`: one case as one document. */
export const shownCaseSchema = caseDocumentSchema.extend({
  withheld: withheldSchema,
  caseId: z.string(),
  title: personal(z.string()).describe('Title of the newest alert.'),
  alerts: z.array(shownAlertSchema),
  runs: z.array(shownRunSchema),
  cost: runCostSchema.describe('All runs together.'),
  correction,
  proposal: shownProposalSchema
    .nullable()
    .optional()
    .describe('Newest verdict of a repeat next to the answer of a person, which stays in force; null: none.'),
});
export type ShownCase = z.infer<typeof shownCaseSchema>;

const jobCount = z.int().nullable();
const UNKNOWN_COUNT = 'null: the queue store does not answer.';

/** One queue of a stage or tool, with its recent work. */
export const laneFiguresSchema = z.object({
  lane: z.enum(['live', 'bulk']).describe('`bulk`: the lanes shadow, replay and batch.'),
  waiting: jobCount.describe(`${queueDepthSchema.shape.waiting.description ?? ''} ${UNKNOWN_COUNT}`),
  active: jobCount.describe(UNKNOWN_COUNT),
  delayed: jobCount.describe(UNKNOWN_COUNT),
  held: z.int().optional().describe('Work that waits for a time, mostly for a provider that is unavailable.'),
  oldestAgeMs: z
    .number()
    .nullable()
    .describe('Age of the oldest waiting job in milliseconds, null when none waits.'),
  ratePerMinute: z.number(),
  failuresLastHour: z.int(),
  notConfiguredLastHour: z
    .int()
    .describe('Calls of a tool that lacks a key or an address; they are no failures.'),
});
export type LaneFigures = z.infer<typeof laneFiguresSchema>;

/** One window of one budget. Listed are the budgets configured for all work, and those that changed last. */
export const budgetFiguresSchema = z.object({
  key: z.string().describe('`case:*:usd` and `case:*:tokens` are what per case.'),
  window: z.string().describe('Date, or `all`.'),
  measure: z.enum(BUDGET_MEASURES),
  limit: z.number().describe('In the measure: millionths of a US dollar, or tokens.'),
  spent: z.number(),
  reserved: z.number(),
  limitUsd: z.number().describe('In US dollars; 0 for a budget of tokens.'),
  spentUsd: z.number(),
  reservedUsd: z.number(),
});
export type BudgetFigures = z.infer<typeof budgetFiguresSchema>;

/** `GET /pipeline`. */
export const pipelineViewSchema = z.object({
  stages: z
    .array(z.object({ stage: z.string(), app: z.string(), lanes: z.array(laneFiguresSchema) }))
    .describe('In the order of the flow.'),
  tools: z.array(z.object({ tool: z.string(), lanes: z.array(laneFiguresSchema) })),
  models: z.array(modelSpendSchema).describe('Of the last 24 hours.'),
  verdicts: verdictFiguresSchema.describe('Of the last hour.'),
  rounds: z.array(roundFiguresSchema).optional().describe('Of kinds that go in rounds; absent: none did.'),
  providers: z.array(providerFiguresSchema),
  probes: z
    .array(modelProbeSchema)
    .optional()
    .describe(
      'Whether the configured models answered when the service that asks them started; absent: not asked.',
    ),
  budgets: z.array(budgetFiguresSchema),
  deadLetters: z.int(),
  backlog: z.int().describe('Unfinished runs.'),
  queueOutage: conditionSchema
    .nullable()
    .describe('The condition `queue_out` if the queue store does not answer; null: it answers.'),
  at: z.string(),
});
export type PipelineView = z.infer<typeof pipelineViewSchema>;

/** An error in the format of RFC 9457, with the invalid fields if there are any. */
export const problemSchema = z.object({
  type: z.string().describe('`urn:casefile:problem:` and the reason code.'),
  title: z.string(),
  status: z.int().describe('The HTTP status.'),
  detail: z.string().describe('A sentence for people.'),
  reasonCode: z.string().describe('Stable, for programs.'),
  errors: z
    .array(
      z.object({
        path: z.string().describe('`image.base64`, `evidence[0].toolName`; empty: the whole.'),
        message: z.string(),
      }),
    )
    .optional()
    .describe('Every field that is wrong.'),
});
export type ProblemBody = z.infer<typeof problemSchema>;

/** `GET /policies`. */
export const policyListSchema = z.object({
  policies: z.array(policyVersionSchema).describe('The current version of each, in the order of their ids.'),
});
export type PolicyList = z.infer<typeof policyListSchema>;

/** `GET /policies/{policyId}/versions/{version}`: one version with its tree. */
export const policyDocumentSchema = policyVersionSchema.extend({
  currentVersion: z.int().describe('Another one when a later text was imported, or an earlier one restored.'),
  nodes: z.array(policyNodeSchema).describe('In the order of the document.'),
});
export type PolicyDocument = z.infer<typeof policyDocumentSchema>;

/** `GET /policies/{policyId}/versions/{version}/sections`. */
export const policySectionsSchema = z.object({
  policyId: z.string(),
  version: z.int(),
  sections: z.array(policySectionSchema).describe('Those that were asked for, in the order of the document.'),
  unknownNodes: z.array(z.string()).describe('Asked for, and not in this version.'),
});
export type PolicySections = z.infer<typeof policySectionsSchema>;

/** `GET /meta`. */
export const metaSchema = z.object({
  version: z.string(),
  provider: z
    .string()
    .describe('`none`: rules only; `unknown`: no service that asks models has started on this record.'),
  model: z.string().nullable(),
  isSimulator: z.boolean().describe("Scripted answers instead of a model's."),
  demonstration: z
    .boolean()
    .optional()
    .describe('The bundled samples get hand-written answers (`up --demo`); absent: no.'),
  startedAt: z.string(),
  capabilities: z
    .array(z.string())
    .describe('Capabilities of this server, for clients that also support older servers.'),
});
export type Meta = z.infer<typeof metaSchema>;

/** `GET /queues`. */
export const queueListSchema = z.object({ items: z.array(queueDepthSchema) });
export type QueueList = z.infer<typeof queueListSchema>;

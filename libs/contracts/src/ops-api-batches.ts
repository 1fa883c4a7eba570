import { z } from 'zod';
import { personal, withheldSchema } from './access/field-class.js';
import { EVIDENCE_SOURCES, settingsChangeSchema } from './ops-api-rerun.js';
import { PROPOSAL_RESULTS, VERDICT_CHANGES } from './reviews/proposed-verdict.js';
import { timeSchema } from './times.js';

/** Filter for cases: all conditions must match the verdict that a case shows. */
export const batchFilterSchema = z.strictObject({
  playbook: z.string().max(100).optional(),
  disposition: z.string().max(20).optional(),
  action: z.string().max(100).optional(),
  method: z.string().max(20).optional(),
  degraded: z.boolean().optional(),
  from: z.string().optional().describe('Cases that came in from this time on, ISO 8601.'),
  to: z.string().optional(),
});
export type BatchFilter = z.infer<typeof batchFilterSchema>;

/** Maximum number of cases in a batch. */
export const MOST_MEMBERS = 100_000;
/** Maximum number of open batches: running, paused or being applied. */
export const MOST_OPEN_BATCHES = 10;
/** Maximum number of case ids kept in a batch's `ask`. Its members contain all of them. */
export const MOST_ASK_IDS = 100;

/** Request for a batch: its cases, the changed settings, the rate and the budget. */
export const batchAskSchema = z.strictObject({
  filter: batchFilterSchema.optional(),
  caseIds: z.array(z.uuid()).min(1).max(MOST_MEMBERS).optional(),
  dataset: z.string().max(200).optional().describe('The cases that were judged to measure on this data set.'),
  degradedSince: z
    .string()
    .optional()
    .describe('Cases whose verdict was degraded, and made from this time on, ISO 8601.'),
  lane: z
    .enum(['replay', 'batch'])
    .optional()
    .describe(
      '`replay`: only from stored answers; `batch` (the default): models are asked for what is not there.',
    ),
  evidence: z.enum(EVIDENCE_SOURCES).optional(),
  settings: settingsChangeSchema.optional(),
  ratePerSecond: z
    .number()
    .positive()
    .max(10_000)
    .optional()
    .describe('Maximum number of cases started per second.'),
  budgetUsd: z
    .number()
    .positive()
    .optional()
    .describe('Limit for its model calls; the batch is paused at the limit.'),
  twice: z
    .int()
    .min(1)
    .max(MOST_MEMBERS)
    .optional()
    .describe('Number of cases to run twice, to measure how much verdicts vary without a change.'),
  sample: z
    .int()
    .min(1)
    .max(MOST_MEMBERS)
    .optional()
    .describe('Number of cases to judge, spread evenly over those that match. Default: all of them.'),
  dryRun: z.boolean().optional().describe('Count and estimate only.'),
});
export type BatchAsk = z.infer<typeof batchAskSchema>;

/** Minimum rate. At a lower rate a batch starts no run for minutes and seems to hang. */
const SLOWEST_RATE = 0.01;
const isTime = (text: string): boolean => timeSchema.safeParse(text).success;
const TIME = { error: 'expected a date (2026-01-31) or a time with its zone (2026-01-31T10:00:00Z)' };

/** `POST /batches`. Requests of older batches on the record may be less strict. */
export const createBatchSchema = batchAskSchema
  .extend({
    filter: batchFilterSchema
      .extend({
        from: batchFilterSchema.shape.from.refine((from) => from === undefined || isTime(from), TIME),
        to: batchFilterSchema.shape.to.refine((to) => to === undefined || isTime(to), TIME),
      })
      .optional(),
    degradedSince: batchAskSchema.shape.degradedSince.refine(
      (since) => since === undefined || isTime(since),
      TIME,
    ),
    ratePerSecond: batchAskSchema.shape.ratePerSecond.refine(
      (rate) => rate === undefined || rate >= SLOWEST_RATE,
      { error: `expected at least ${SLOWEST_RATE} a second` },
    ),
  })
  .refine(
    ({ filter, caseIds, dataset, degradedSince }) =>
      [filter, caseIds, dataset, degradedSince].filter((it) => it !== undefined).length === 1,
    { error: 'expected one of filter, caseIds, dataset and degradedSince', path: ['filter'] },
  );

/** Response of `POST /batches`. */
export const createdBatchSchema = z.object({
  batchId: z.string().nullable().describe('null: a dry run, or no case matches.'),
  count: z.int().describe('Cases that are judged.'),
  matching: z.int().describe('Cases that match: more than `count` with `sample`.'),
  estimateUsd: z
    .number()
    .describe('Recent average cost of runs of these kinds, times the number of cases; 0 for a replay.'),
});
export type CreatedBatch = z.infer<typeof createdBatchSchema>;

export const BATCH_STATES = ['running', 'paused', 'done', 'applying', 'applied', 'discarded'] as const;
export type BatchState = (typeof BATCH_STATES)[number];

/** `GET /batches/{batchId}`. */
export const batchSchema = z.object({
  id: z.string(),
  state: z
    .enum(BATCH_STATES)
    .describe('`done`: every case has ended, and its verdicts wait to be applied or discarded.'),
  reason: z.string().nullable().describe('Why it is paused, if no user paused it.'),
  ask: batchAskSchema.describe(`As it was sent; of \`caseIds\` the first ${MOST_ASK_IDS}.`),
  total: z.int(),
  done: z.int().describe('Cases whose run has ended.'),
  open: z.int().describe('Cases whose run is under way.'),
  flipped: z.int().describe('Cases whose action would change.'),
  twice: z.int().describe('Cases that were run twice, and have ended.'),
  unsteady: z.int().describe('Of these, cases whose two runs differ: they flip without a change.'),
  identical: z
    .int()
    .describe(
      'Cases whose models got the same requests and whose answers were all recorded: models were not compared.',
    ),
  labelled: z.int().describe('Cases with feedback.'),
  rightBefore: z.int().describe('Of these, cases whose earlier verdict agrees with the feedback.'),
  rightNow: z.int().describe('Of these, cases whose new verdict agrees with the feedback.'),
  failed: z.int().describe('Cases whose run ended without a verdict.'),
  applied: z.int().describe('Cases that show the new verdict.'),
  sent: z
    .int()
    .describe('Of these, cases whose verdict changed in what receivers act on, so that it is delivered.'),
  decidedByPerson: z
    .int()
    .describe('Cases that a person decided, whose answer they keep. Before the batch is applied: as of now.'),
  unchanged: z
    .int()
    .describe('Cases whose new verdict is the same for receivers. They keep the earlier one.'),
  overtaken: z.int().describe('Cases with a newer verdict, which they keep.'),
  leftOut: z
    .int()
    .describe('Cases that were not chosen when the batch was applied. They keep their verdict.'),
  costUsd: z.number(),
  estimateUsd: z.number(),
  ratePerSecond: z.number().nullable().describe('Cases finished per second so far; null: none.'),
  etaSeconds: z.number().nullable().describe('Time until every case has ended; null: unknown.'),
  createdAt: z.string(),
  doneAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});
export type Batch = z.infer<typeof batchSchema>;

/** `GET /batches`. */
export const batchListSchema = z.object({
  batches: z.array(batchSchema),
  degraded: z.object({
    since: z.string(),
    count: z.int().describe('Verdicts that were degraded since: `degradedSince` judges them again.'),
    providersOut: z.array(z.string()).describe('Providers that are not asked now.'),
  }),
});
export type BatchList = z.infer<typeof batchListSchema>;

const MEMBER_STATES = ['waiting', 'opened', 'decided', 'failed', 'left_out', ...PROPOSAL_RESULTS] as const;

/** One side of a comparison: the existing verdict, or the new one. */
const memberVerdictSchema = z.object({
  disposition: z.string().nullable(),
  action: z.string().nullable(),
  confidence: z.number().nullable(),
});

/** One case of a batch. */
export const batchMemberSchema = z.object({
  caseId: z.string(),
  baseRunId: z.string(),
  runId: z.string(),
  state: z.enum(MEMBER_STATES),
  flipped: z.boolean().nullable(),
  change: z
    .enum(VERDICT_CHANGES)
    .nullable()
    .describe(
      '`message`: receivers would act otherwise. `basis`: only the earlier verdict is degraded. `none`: nothing changes for receivers. null: no verdict yet.',
    ),
  decidedByPerson: z.boolean().describe('Did a person decide the case? It then keeps this answer.'),
  message: personal(z.string().nullable()).describe('Why there is no verdict.'),
  twinRunId: z.string().nullable().describe('The second run of the same; null: it is run once.'),
  unsteady: z.boolean().nullable().describe('Do the two runs differ?'),
  sameRequests: z.boolean().nullable().describe('Did models get the same requests as in the original run?'),
  answersAsked: z.int().nullable().describe('Answers of models that were not read from the record.'),
  rightBefore: z
    .boolean()
    .nullable()
    .describe('Does the verdict agree with the feedback? null: no feedback.'),
  rightNow: z.boolean().nullable(),
  playbook: z.string(),
  text: personal(z.string()),
  was: memberVerdictSchema,
  now: memberVerdictSchema,
});
export type BatchMember = z.infer<typeof batchMemberSchema>;

/** `GET /batches/{batchId}/members`. */
export const batchMembersSchema = z.object({
  withheld: withheldSchema,
  members: z.array(batchMemberSchema).describe('The flipped ones first, then those without a verdict.'),
  total: z.int(),
});
export type BatchMembers = z.infer<typeof batchMembersSchema>;

export const BATCH_ACTS = ['pause', 'resume', 'apply', 'discard'] as const;
export type BatchAct = (typeof BATCH_ACTS)[number];

/** Maximum number of cases that a choice names. */
const MOST_CHOSEN = 10_000;
const caseIds = z.array(z.uuid()).max(MOST_CHOSEN).optional();

/** Cases of a batch whose new verdicts are applied. */
export const batchChoiceSchema = z
  .strictObject({
    caseIds: caseIds.describe('Only these cases.'),
    exceptCaseIds: caseIds.describe('All cases except these.'),
  })
  .refine(({ caseIds: only, exceptCaseIds: except }) => only === undefined || except === undefined, {
    error: 'expected caseIds or exceptCaseIds, not both',
    path: ['caseIds'],
  });
export type BatchChoice = z.infer<typeof batchChoiceSchema>;

/** Maximum number of new verdicts that a preview examines. */
export const MOST_PREVIEWED = 2_000;

/** `POST /batches/{batchId}/preview`. */
export const batchPreviewSchema = z.object({
  examined: z.int().describe(`New verdicts of the choice that were examined, at most ${MOST_PREVIEWED}.`),
  hasMore: z.boolean().describe('Whether there are more, which the other figures leave out.'),
  applied: z.int().describe('Cases that would show the new verdict.'),
  messages: z.int().describe('Of these, cases whose new verdict would be sent.'),
  decidedByPerson: z.int(),
  unchanged: z.int(),
  overtaken: z.int(),
  receivers: z
    .array(z.object({ destination: z.string(), messages: z.int() }))
    .describe('Messages to each destination. Every message also goes to the queue of verdicts.'),
});
export type BatchPreview = z.infer<typeof batchPreviewSchema>;

import {
  BATCH_ACTS,
  batchChoiceSchema,
  batchListSchema,
  batchMembersSchema,
  batchPreviewSchema,
  batchSchema,
  CasefileError,
  createBatchSchema,
  createdBatchSchema,
  InvalidInput,
  openedRunSchema,
  openRunSchema,
  runDiffSchema,
  runSpansSchema,
  shownRunSchema,
  z,
  type RunDocument,
  limitField,
} from '@casefile/contracts';
import { diffRuns } from '@casefile/pipeline';
import { previewApply } from '@casefile/runtime';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';
import { runSpans } from '../run-spans.js';
import { shownRun } from '../shown-case.js';

/** @throws CasefileError `not_found` if there is no such run. */
async function requireRun(store: Pick<ConsolePorts['store'], 'record'>, runId: string): Promise<RunDocument> {
  const run = await store.record.getRun(runId);
  if (run === null) throw new CasefileError('not_found', `no run has the id "${runId}"`);
  return run;
}

/** Maximum age of degraded verdicts that are offered for another judgement, in milliseconds. */
const OFFERED_MS = 24 * 3_600_000;

function noBatch(id: string): CasefileError {
  return new CasefileError('not_found', `no batch has the id "${id}"`);
}

function onlyWith(path: string, act: string): InvalidInput {
  return new InvalidInput([{ path, message: `expected this field only with ${act}` }], 'batch');
}

/** Replays of runs, and the differences between their results. */
export const rerunRoutes = [
  route({
    method: 'post',
    path: '/cases/{caseId}/runs',
    operationId: 'openRun',
    right: 'operator',
    tag: 'runs',
    summary: 'Repeat a run of a case from its record',
    input: { params: z.object({ caseId: z.string().max(100) }), body: openRunSchema },
    problems: [404],
    answer: '{ runId, baseRunId }: the case keeps its current verdict',
    status: 202,
    response: openedRunSchema,
    handler: async ({ rerun }, { params, body }) => rerun.open(params.caseId, body),
  }),
  route({
    method: 'get',
    path: '/runs/{runId}',
    operationId: 'getRun',
    right: 'viewer',
    tag: 'runs',
    summary: 'One run with its whole record',
    input: { params: z.object({ runId: z.string().max(100) }) },
    answer: 'The run, as in the response for its case',
    response: shownRunSchema,
    handler: async ({ store, playbooks }, { params }) => {
      const run = await requireRun(store, params.runId);
      return shownRun(run, playbooks.find(({ name }) => name === run.settings.playbook)?.presenting);
    },
  }),
  route({
    method: 'get',
    path: '/runs/{runId}/spans',
    operationId: 'getRunSpans',
    right: 'reviewer',
    tag: 'runs',
    summary: 'What the time of a run was spent on: stages, waits, tool calls and model calls',
    input: { params: z.object({ runId: z.string().max(100) }) },
    answer:
      '{ runId, caseId, spans }: each span with start, end, state, cost, tokens and the span it is part of',
    response: runSpansSchema,
    handler: async ({ store }, { params }) => {
      const run = await requireRun(store, params.runId);
      return { runId: run.id, caseId: run.caseId, spans: runSpans(run), nextCursor: null };
    },
  }),
  route({
    method: 'get',
    path: '/runs/{a}/diff/{b}',
    operationId: 'diffOfRuns',
    right: 'reviewer',
    tag: 'runs',
    summary: 'Differences of two runs and the first step at which they differ',
    input: { params: z.object({ a: z.string().max(100), b: z.string().max(100) }) },
    answer: '{ same, flipped, differences: [{ what, a, b, counts }], firstDivergence }',
    response: runDiffSchema,
    handler: async ({ store }, { params }) => {
      const [a, b] = await Promise.all([requireRun(store, params.a), requireRun(store, params.b)]);
      if (a.settings.playbook === b.settings.playbook) return diffRuns(a, b);
      const message = `expected two runs of one kind; they are of ${a.settings.playbook} and ${b.settings.playbook}`;
      throw new InvalidInput([{ path: 'b', message }], 'path');
    },
  }),
  route({
    method: 'post',
    path: '/batches',
    operationId: 'createBatch',
    right: 'operator',
    tag: 'runs',
    summary: 'Judge cases again together: by filter, ids, data set, or those degraded since a time',
    input: { body: createBatchSchema },
    problems: [409],
    answer: '{ batchId, count, matching, estimateUsd }: with dryRun no batch is created',
    status: 202,
    response: createdBatchSchema,
    handler: async ({ rerun }, { body }) => rerun.createBatch(body),
  }),
  route({
    method: 'get',
    path: '/batches',
    operationId: 'listBatches',
    right: 'viewer',
    tag: 'runs',
    summary: 'Batches, the newest first',
    input: {
      query: z.object({ limit: limitField(200, 50) }),
    },
    answer: '{ batches, degraded }: each with its progress; how many verdicts of a day were degraded',
    response: batchListSchema,
    handler: async ({ store, now }, { query }) => {
      const since = new Date(now() - OFFERED_MS).toISOString();
      const [batches, count, states] = await Promise.all([
        store.batches.list(query.limit),
        store.batches.degradedSince(since),
        store.providers.states(),
      ]);
      const providersOut = states.filter(({ state }) => state !== 'closed').map(({ provider }) => provider);
      return { batches, degraded: { since, count, providersOut } };
    },
  }),
  route({
    method: 'get',
    path: '/batches/{batchId}',
    operationId: 'getBatch',
    right: 'viewer',
    tag: 'runs',
    summary: 'One batch and its progress',
    input: { params: z.object({ batchId: z.string().max(100) }) },
    answer: 'state, done, total, flipped, costUsd, ratePerSecond, etaSeconds',
    response: batchSchema,
    handler: async ({ store }, { params }) => {
      const batch = await store.batches.get(params.batchId);
      if (batch === null) throw noBatch(params.batchId);
      return batch;
    },
  }),
  route({
    method: 'get',
    path: '/batches/{batchId}/members',
    operationId: 'listBatchMembers',
    right: 'viewer',
    tag: 'runs',
    summary: 'The cases of a batch',
    input: {
      params: z.object({ batchId: z.string().max(100) }),
      query: z.object({
        limit: limitField(1_000, 100),
        offset: z.coerce
          .number()
          .int()
          .min(0)
          .max(1_000_000)
          .default(0)
          .describe('Members to leave out at the beginning.'),
      }),
    },
    answer: '{ members, total }: the flipped ones first, then those without a verdict',
    response: batchMembersSchema,
    handler: async ({ store }, { params, query }) => {
      const page = await store.batches.members(params.batchId, query.limit, query.offset);
      // A batch has at least one case.
      if (page.total === 0 && (await store.batches.get(params.batchId)) === null)
        throw noBatch(params.batchId);
      return page;
    },
  }),
  route({
    method: 'post',
    path: '/batches/{batchId}/preview',
    operationId: 'previewBatch',
    right: 'operator',
    tag: 'runs',
    summary: 'Count what applying a batch would do now, and the messages to each destination',
    input: { params: z.object({ batchId: z.string().max(100) }), body: batchChoiceSchema },
    problems: [404, 409],
    isReading: true,
    answer:
      '{ examined, hasMore, applied, messages, decidedByPerson, unchanged, overtaken, receivers }. 409: the batch is not done',
    response: batchPreviewSchema,
    handler: async (ports, { params: { batchId }, body }) => {
      const batch = await ports.store.batches.get(batchId);
      if (batch === null) throw noBatch(batchId);
      if (batch.state !== 'done')
        throw new CasefileError('conflict', `the batch is ${batch.state}: it cannot apply now`);
      return previewApply(ports, batchId, body);
    },
  }),
  route({
    method: 'post',
    path: '/batches/{batchId}/{act}',
    operationId: 'actOnBatch',
    right: 'operator',
    tag: 'runs',
    summary:
      'Pause, resume, apply or discard a batch. Apply takes the chosen cases, leaves out those that a person decided, and delivers changed verdicts only',
    input: {
      params: z.object({ batchId: z.string().max(100), act: z.enum(BATCH_ACTS) }),
      body: z
        .strictObject({
          budgetUsd: z.number().positive().optional().describe('With resume: the new limit of its cost.'),
          choice: batchChoiceSchema
            .optional()
            .describe('With apply: the cases whose new verdicts are applied. Default: all.'),
        })
        .optional(),
    },
    problems: [404, 409],
    answer:
      'The current state of the batch. `decidedByPerson`, `unchanged`, `leftOut`, `applied` and `sent` count the cases by the effect of apply',
    response: batchSchema,
    handler: async ({ store }, { params, body }) => {
      const { batchId, act } = params;
      if (act !== 'apply' && body?.choice !== undefined) throw onlyWith('choice', 'apply');
      if (act !== 'resume' && body?.budgetUsd !== undefined) throw onlyWith('budgetUsd', 'resume');
      const done = await store.batches.act(batchId, act, body);
      const batch = await store.batches.get(batchId);
      if (done === null || batch === null) throw noBatch(batchId);
      if (!done) throw new CasefileError('conflict', `the batch is ${batch.state}: it cannot ${act} now`);
      return batch;
    },
  }),
];

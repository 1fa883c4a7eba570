import {
  batchListSchema,
  batchMembersSchema,
  batchSchema,
  createdBatchSchema,
  feedbackListSchema,
  feedbackSchema,
  openedRunSchema,
  runDiffSchema,
  shownRunSchema,
} from '@casefile/contracts';
import { actOnBatch, actOnBatchInput } from './handlers/act-on-batch.js';
import { createBatch, createBatchInput } from './handlers/create-batch.js';
import { diffOfRuns, diffOfRunsInput } from './handlers/diff-of-runs.js';
import { getBatch, getBatchInput } from './handlers/get-batch.js';
import { getRun, getRunInput } from './handlers/get-run.js';
import { giveFeedback, giveFeedbackInput } from './handlers/give-feedback.js';
import { listBatchMembers, listBatchMembersInput } from './handlers/list-batch-members.js';
import { listBatches, listBatchesInput } from './handlers/list-batches.js';
import { listFeedback, listFeedbackInput } from './handlers/list-feedback.js';
import { openRun, openRunInput } from './handlers/open-run.js';
import { withdrawFeedback, withdrawFeedbackInput } from './handlers/withdraw-feedback.js';
import { route } from './http/route.js';

/** Making runs again, and looking at what came of it. */
export const rerunRoutes = [
  route({
    method: 'post',
    path: '/cases/{caseId}/runs',
    tag: 'runs',
    summary: 'Make a run of a case again, on what is on the record',
    input: openRunInput,
    problems: [404],
    answer: '{ runId, baseRunId }: the case goes on showing the verdict that it has',
    status: 202,
    response: openedRunSchema,
    handler: openRun,
  }),
  route({
    method: 'get',
    path: '/runs/{runId}',
    tag: 'runs',
    summary: 'One run with everything on its record',
    input: getRunInput,
    answer: 'As the case has it among its runs',
    response: shownRunSchema,
    handler: getRun,
  }),
  route({
    method: 'get',
    path: '/runs/{a}/diff/{b}',
    tag: 'runs',
    summary: 'In what two runs differ, and where they parted first',
    input: diffOfRunsInput,
    answer: '{ same, flipped, differences: [{ what, a, b, counts }], firstDivergence }',
    response: runDiffSchema,
    handler: diffOfRuns,
  }),
  route({
    method: 'post',
    path: '/batches',
    tag: 'runs',
    summary: 'Judge cases again together: by filter, ids, data set, or those degraded since a time',
    input: createBatchInput,
    problems: [409],
    answer: '{ batchId, count, estimateUsd }: with dryRun count and estimate alone',
    status: 202,
    response: createdBatchSchema,
    handler: createBatch,
  }),
  route({
    method: 'get',
    path: '/batches',
    tag: 'runs',
    summary: 'Batches, the newest first',
    input: listBatchesInput,
    answer: '{ batches, degraded }: each with its progress; how many verdicts of a day were degraded',
    response: batchListSchema,
    handler: listBatches,
  }),
  route({
    method: 'get',
    path: '/batches/{batchId}',
    tag: 'runs',
    summary: 'One batch, and how far it is',
    input: getBatchInput,
    answer: 'state, done, total, flipped, costUsd, ratePerSecond, etaSeconds',
    response: batchSchema,
    handler: getBatch,
  }),
  route({
    method: 'get',
    path: '/batches/{batchId}/members',
    tag: 'runs',
    summary: 'The cases of a batch',
    input: listBatchMembersInput,
    answer: '{ members, total }: the flipped ones first, then those without a verdict',
    response: batchMembersSchema,
    handler: listBatchMembers,
  }),
  route({
    method: 'post',
    path: '/batches/{batchId}/{act}',
    tag: 'runs',
    summary: 'Pause, resume, apply or discard a batch; nothing of it goes out before it is applied',
    input: actOnBatchInput,
    problems: [404, 409],
    answer: 'The batch as it stands now',
    response: batchSchema,
    handler: actOnBatch,
  }),
  route({
    method: 'post',
    path: '/cases/{caseId}/feedback',
    tag: 'cases',
    summary: 'Say what the verdict of a case should have been, or that it is right',
    input: giveFeedbackInput,
    problems: [404, 409, 429],
    answer:
      'The label. It replaces an earlier label of the same `by` for the same run. 409 `answer_required`: the verdict asks for an answer, and `agree` gives none',
    status: 201,
    response: feedbackSchema,
    handler: giveFeedback,
  }),
  route({
    method: 'post',
    path: '/cases/{caseId}/feedback/{feedbackId}/withdraw',
    tag: 'cases',
    summary: 'Withdraw a label; the event log keeps it',
    input: withdrawFeedbackInput,
    answer: 'The label as it stood',
    response: feedbackSchema,
    handler: withdrawFeedback,
  }),
  route({
    method: 'get',
    path: '/cases/{caseId}/feedback',
    tag: 'cases',
    summary: 'What people said of the verdict of a case',
    input: listFeedbackInput,
    answer: '{ feedback, nextCursor }, the newest first',
    response: feedbackListSchema,
    handler: listFeedback,
  }),
];

import { openedRunSchema, runDiffSchema, shownRunSchema } from '@casefile/contracts';
import { diffOfRuns, diffOfRunsInput } from './handlers/diff-of-runs.js';
import { getRun, getRunInput } from './handlers/get-run.js';
import { openRun, openRunInput } from './handlers/open-run.js';
import { route, type Route } from './http/route.js';

/** Making runs again, and looking at what came of it. */
export const rerunRoutes: readonly Route[] = [
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
];

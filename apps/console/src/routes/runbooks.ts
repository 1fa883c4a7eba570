import {
  CasefileError,
  matchRunbooksSchema,
  runbookDocumentSchema,
  runbookListSchema,
  runbookMatchListSchema,
  runbookQuestionOf,
  z,
} from '@casefile/contracts';
import { route } from '../http/route.js';

/** The runbooks, and the alerts that match them. */
export const runbookRoutes = [
  route({
    method: 'get',
    path: '/runbooks',
    operationId: 'listRunbooks',
    right: 'viewer',
    tag: 'runbooks',
    summary: 'The runbooks of alerts',
    input: {},
    answer: '{ runbooks }: the current version of each, with its pin, and the rules that lead to it',
    response: runbookListSchema,
    handler: async ({ runbooks }) => ({
      runbooks: await runbooks.listRunbooks(),
    }),
  }),
  route({
    method: 'get',
    path: '/runbooks/{name}',
    operationId: 'getRunbook',
    right: 'viewer',
    tag: 'runbooks',
    summary: 'One runbook with all its versions',
    input: { params: z.object({ name: z.string().max(100) }) },
    answer: '{ name, currentVersion, rules, isDefault, versions }: each version with its pin and its text',
    response: runbookDocumentSchema,
    handler: async ({ runbooks }, { params }) => {
      const runbook = await runbooks.getRunbook(params.name);
      if (runbook === null) throw new CasefileError('not_found', `no runbook has the name "${params.name}"`);
      return runbook;
    },
  }),
  route({
    method: 'post',
    path: '/runbooks/match',
    operationId: 'matchRunbooks',
    right: 'viewer',
    tag: 'runbooks',
    summary: 'Which runbook each of these alerts gets, and why',
    input: { body: matchRunbooksSchema },
    isReading: true,
    answer: '{ matches }, by the runbooks that were imported or read so far; no match is recorded',
    response: runbookMatchListSchema,
    handler: async ({ runbooks }, { body }) => ({
      matches: await runbooks.matchRunbooks(body.alerts.map(runbookQuestionOf)),
    }),
  }),
];

import {
  acceptedImportSchema,
  importStateSchema,
  policyDocumentSchema,
  policyListSchema,
  policySectionsSchema,
  runbookDocumentSchema,
  runbookListSchema,
  runbookMatchListSchema,
  PATTERN_STATE_PATH,
  patternStateSchema,
} from '@casefile/contracts';
import { getImport, getImportInput } from './handlers/get-import.js';
import { getPolicySections, getPolicySectionsInput } from './handlers/get-policy-sections.js';
import { getPolicyVersion, getPolicyVersionInput } from './handlers/get-policy-version.js';
import { getPatternState, getPatternStateInput } from './handlers/get-pattern-state.js';
import { getRunbook, getRunbookInput } from './handlers/get-runbook.js';
import { listPolicies, listPoliciesInput } from './handlers/list-policies.js';
import { listRunbooks, listRunbooksInput } from './handlers/list-runbooks.js';
import { matchRunbooks, matchRunbooksInput } from './handlers/match-runbooks.js';
import { postImport, postImportForm, postImportInput } from './handlers/post-import.js';
import { route } from './http/route.js';

/** What is in the knowledge bases, as people look at it. */
export const knowledgeRoutes = [
  route({
    method: 'get',
    path: '/policies',
    tag: 'policies',
    summary: 'The policies that were imported',
    input: listPoliciesInput,
    answer: '{ policies }: the current version of each, with its title, language, format, pages and sections',
    response: policyListSchema,
    handler: listPolicies,
  }),
  route({
    method: 'get',
    path: '/policies/{policyId}/versions/{version}',
    tag: 'policies',
    summary: 'One version of a policy (or "current") with its tree of sections',
    input: getPolicyVersionInput,
    answer:
      'The version, currentVersion and nodes: each section with its title, parent, pages or lines and summary, without its text',
    response: policyDocumentSchema,
    handler: getPolicyVersion,
  }),
  route({
    method: 'get',
    path: '/policies/{policyId}/versions/{version}/sections',
    tag: 'policies',
    summary: 'Sections of a policy with their whole texts: ?ids=0001,0002',
    input: getPolicySectionsInput,
    answer: '{ policyId, version, sections, unknownNodes }, in the order of the document',
    response: policySectionsSchema,
    handler: getPolicySections,
  }),
  route({
    method: 'get',
    path: '/runbooks',
    tag: 'runbooks',
    summary: 'The runbooks of alerts',
    input: listRunbooksInput,
    answer: '{ runbooks }: the current version of each, with its pin, and the rules that lead to it',
    response: runbookListSchema,
    handler: listRunbooks,
  }),
  route({
    method: 'get',
    path: '/runbooks/{name}',
    tag: 'runbooks',
    summary: 'One runbook with every text it had',
    input: getRunbookInput,
    answer: '{ name, currentVersion, rules, isDefault, versions }: each version with its pin and its text',
    response: runbookDocumentSchema,
    handler: getRunbook,
  }),
  route({
    method: 'post',
    path: '/runbooks/match',
    tag: 'runbooks',
    summary: 'Which runbook each of these alerts gets, and why',
    input: matchRunbooksInput,
    answer: '{ matches }, by what was imported or read so far; nothing is noted of it',
    response: runbookMatchListSchema,
    handler: matchRunbooks,
  }),
  route({
    method: 'get',
    path: PATTERN_STATE_PATH,
    tag: 'imports',
    summary: 'How many known patterns there are',
    input: getPatternStateInput,
    answer: '{ patterns, revision }',
    response: patternStateSchema,
    handler: getPatternState,
  }),
  route({
    method: 'post',
    path: '/imports/{import}',
    tag: 'imports',
    summary: 'Import files, or what is at an address, into a knowledge base',
    input: postImportInput,
    shown: { body: postImportForm, bodyMedia: 'multipart/form-data' },
    problems: [413],
    answer: '{ importId }: an evidence-collector imports it; GET /imports/{importId} shows how far it is',
    status: 202,
    response: acceptedImportSchema,
    handler: postImport,
  }),
  route({
    method: 'get',
    path: '/imports/{import}',
    tag: 'imports',
    summary: 'One import: how far it is, and its result',
    input: getImportInput,
    answer: 'state, progress, lines, complete, problem',
    response: importStateSchema,
    handler: getImport,
  }),
];

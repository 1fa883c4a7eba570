import {
  approvedToolsSchema,
  conditionListSchema,
  metaSchema,
  pipelineViewSchema,
  queueListSchema,
  toolServerListSchema,
  triedProviderSchema,
} from '@casefile/contracts';
import { approveTools, approveToolsInput } from './handlers/approve-tools.js';
import { getMeta, getMetaInput } from './handlers/get-meta.js';
import { getPipeline, getPipelineInput } from './handlers/get-pipeline.js';
import { listConditions, listConditionsInput } from './handlers/list-conditions.js';
import { listQueues, listQueuesInput } from './handlers/list-queues.js';
import { listTools, listToolsInput } from './handlers/list-tools.js';
import { tryProvider, tryProviderInput } from './handlers/try-provider.js';
import { route } from './http/route.js';

/** Watching the pipeline, and acting on its providers and tools. */
export const operationRoutes = [
  route({
    method: 'get',
    path: '/pipeline',
    tag: 'pipeline',
    summary: 'What the pipeline does',
    input: getPipelineInput,
    answer:
      'stages and tools with depth, rate, oldest age and failures a lane; models of 24 hours, verdicts of the last hour, circuits, budgets, dead letters and backlog. A second old at most.',
    response: pipelineViewSchema,
    handler: getPipeline,
  }),
  route({
    method: 'get',
    path: '/conditions',
    tag: 'pipeline',
    summary: 'What is wrong now',
    input: listConditionsInput,
    answer: '{ conditions }: each with id, severity, since, effect and what to do; errors first',
    response: conditionListSchema,
    handler: listConditions,
  }),
  route({
    method: 'post',
    path: '/providers/{provider}/try',
    tag: 'pipeline',
    summary: 'Let one call through at once to a provider that is not asked because it failed',
    input: tryProviderInput,
    problems: [403, 404],
    answer: '{ provider, state }; told in the event log as operator.tried-provider',
    response: triedProviderSchema,
    handler: tryProvider,
  }),
  route({
    method: 'get',
    path: '/tools',
    tag: 'tools',
    summary: 'Servers of tools, and what of theirs may be called',
    input: listToolsInput,
    answer: '{ servers }: how each does, and of its tools their state, what changed, how calls go',
    response: toolServerListSchema,
    handler: listTools,
  }),
  route({
    method: 'post',
    path: '/tools/{server}/approve',
    tag: 'tools',
    summary: 'Approve entries of a server\'s tool list as they were shown: { "tools": [{ "tool", "hash" }] }',
    input: approveToolsInput,
    problems: [403, 404],
    answer: '{ approved, refused }; each approval is told in the event log as operator.approved-tool',
    response: approvedToolsSchema,
    handler: approveTools,
  }),
  route({
    method: 'get',
    path: '/meta',
    tag: 'pipeline',
    summary: 'What is running here',
    input: getMetaInput,
    answer: '{ version, provider, model, isSimulator, startedAt, capabilities }',
    response: metaSchema,
    handler: getMeta,
  }),
  route({
    method: 'get',
    path: '/queues',
    tag: 'pipeline',
    summary: 'How full the queues are',
    input: listQueuesInput,
    answer: '{ items }: waiting, active, delayed and failed jobs a queue, and the age of the oldest',
    response: queueListSchema,
    handler: listQueues,
  }),
];

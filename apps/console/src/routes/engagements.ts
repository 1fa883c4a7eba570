import {
  CasefileError,
  engagementDetailsSchema,
  engagementListSchema,
  engagementQuerySchema,
  z,
} from '@casefile/contracts';
import { route } from '../http/route.js';

/** Engagement sessions. */
export const engagementRoutes = [
  route({
    method: 'get',
    path: '/engagements',
    operationId: 'listEngagements',
    right: 'reviewer',
    tag: 'engagements',
    summary: 'Engagement sessions, the one with the newest message first',
    input: { query: engagementQuerySchema },
    answer:
      '{ engagements, nextCursor }: each session, open or closed, in the state after its newest message',
    response: engagementListSchema,
    handler: ({ store }, { query }) => store.engagements.find(query),
  }),
  route({
    method: 'get',
    path: '/engagements/{engagementId}',
    operationId: 'getEngagement',
    right: 'reviewer',
    tag: 'engagements',
    summary: 'One engagement session with its newest messages',
    input: { params: z.object({ engagementId: z.string().max(200) }) },
    answer: 'The state of the session and its newest 100 messages, newest first',
    response: engagementDetailsSchema,
    handler: async ({ store }, { params }) => {
      const engagement = await store.engagements.get(params.engagementId);
      if (engagement === null) throw new CasefileError('not_found', 'no engagement session has this id');
      return engagement;
    },
  }),
  route({
    method: 'post',
    path: '/engagements/{engagementId}/close',
    operationId: 'closeEngagement',
    right: 'operator',
    tag: 'engagements',
    summary: 'Close an engagement session; a later message of its conversation opens it again',
    input: { params: z.object({ engagementId: z.string().max(200) }) },
    answer: 'The current state of the session',
    response: engagementDetailsSchema,
    handler: async ({ store }, { params }) => {
      const closed = await store.engagements.close(params.engagementId);
      if (closed === null) throw new CasefileError('not_found', 'no engagement session has this id');
      return closed;
    },
  }),
];

import {
  CasefileError,
  revokeSessionSchema,
  sessionListSchema,
  shownSessionSchema,
  z,
} from '@casefile/contracts';
import { route } from '../http/route.js';

/** Sign-in sessions of people. */
export const sessionRoutes = [
  route({
    method: 'get',
    path: '/sessions',
    operationId: 'listSignInSessions',
    right: 'admin',
    tag: 'access',
    summary: 'List the sign-in sessions of people',
    input: {},
    answer: '{ sessions, nextCursor }: valid sessions, newest first, at most 1,000',
    response: sessionListSchema,
    handler: async ({ store }) => ({ sessions: await store.sessions.list(), nextCursor: null }),
  }),
  route({
    method: 'post',
    path: '/sessions/{id}/revoke',
    operationId: 'revokeSignInSession',
    right: 'admin',
    tag: 'access',
    summary: 'End the session of a person. The next request of the session is refused',
    input: { params: z.object({ id: z.string().min(1).max(100) }), body: revokeSessionSchema },
    problems: [404],
    answer: 'The session that has ended',
    response: shownSessionSchema,
    handler: async ({ store }, { params: { id }, body: { by = 'console', reason = '' } }) => {
      const ended = await store.sessions.revoke(id, by, reason);
      if (ended === null) throw new CasefileError('not_found', 'there is no session with this id');
      return ended;
    },
  }),
];

import { scheduleListSchema } from '@casefile/contracts';
import { route } from '../http/route.js';

/** Routes of the schedules. */
export const scheduleRoutes = [
  route({
    method: 'get',
    path: '/schedules',
    operationId: 'listSchedules',
    right: 'viewer',
    tag: 'pipeline',
    summary: 'List scheduled alerts and fetched feeds, each with its last and next time',
    input: {},
    answer: '{ schedules, nextCursor }: last and next due time, the last case, and the current failure',
    response: scheduleListSchema,
    handler: async ({ schedules }) => ({ schedules: await schedules(), nextCursor: null }),
  }),
];

import { acknowledgedSchema, CasefileError, destinationActSchema, z } from '@casefile/contracts';
import { route } from '../http/route.js';
import { pagerNames } from '../pagers.js';

/** The pages of a case, acknowledged by a person. */
export const acknowledgeRoutes = [
  route({
    method: 'post',
    path: '/cases/{caseId}/acknowledge',
    operationId: 'acknowledgeCase',
    right: 'reviewer',
    tag: 'destinations',
    summary: 'Acknowledge the pages of a case, also at each PagerDuty destination that received one',
    input: { params: z.object({ caseId: z.string().max(100) }), body: destinationActSchema },
    problems: [404],
    answer: '{ destinations }: those that were sent a page. 404: no destination was sent a page of this case',
    response: acknowledgedSchema,
    handler: async (ports, { params: { caseId }, body: { by = 'console' } }) => {
      const { store, now } = ports;
      const paged = await store.destinations.acknowledge(caseId, await pagerNames(ports), by, now());
      if (paged.length === 0)
        throw new CasefileError('not_found', 'no destination was sent a page of this case');
      return { destinations: paged };
    },
  }),
];

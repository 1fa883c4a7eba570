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
    answer:
      '{ destinations }: the pagers that are notified. 404: no destination was sent a page of this case',
    response: acknowledgedSchema,
    handler: async (ports, { params: { caseId }, body: { by = 'console' } }) => {
      const { store, now } = ports;
      const pagers = await store.destinations.acknowledge(caseId, await pagerNames(ports), by, now());
      if (pagers === null)
        throw new CasefileError('not_found', 'no destination was sent a page of this case');
      return { destinations: pagers };
    },
  }),
];

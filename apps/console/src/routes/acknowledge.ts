import { acknowledgedSchema, CasefileError, destinationActSchema, z } from '@casefile/contracts';
import { configuredFirst } from '@casefile/runtime';
import { route } from '../http/route.js';

/** The page of a case at a pager, acknowledged by a person. */
export const acknowledgeRoutes = [
  route({
    method: 'post',
    path: '/cases/{caseId}/acknowledge',
    operationId: 'acknowledgeCase',
    right: 'reviewer',
    tag: 'destinations',
    summary: 'Acknowledge the page of a case at each PagerDuty destination that received it',
    input: { params: z.object({ caseId: z.string().max(100) }), body: destinationActSchema },
    problems: [404],
    answer: '{ destinations }: the pagers. 404: no pager received a verdict of this case',
    response: acknowledgedSchema,
    handler: async ({ store, destinations, now }, { params: { caseId }, body: { by = 'console' } }) => {
      const added = (await store.destinations.added()).map(({ name, entry: { type } }) => ({ name, type }));
      const pagers = configuredFirst(destinations, added).filter(({ type }) => type === 'pagerduty');
      const names = pagers.map(({ name }) => name);
      const paged = await store.destinations.acknowledge(caseId, names, by, now());
      if (paged.length === 0)
        throw new CasefileError(
          'not_found',
          'no destination of type pagerduty received a verdict of this case',
        );
      return { destinations: paged };
    },
  }),
];

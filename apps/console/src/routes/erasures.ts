import {
  ERASABLE_CLASSES,
  erasedCaseListSchema,
  erasedCaseQuerySchema,
  erasureDetailSchema,
  erasureListSchema,
  eraseSchema,
  requestedErasureSchema,
  z,
} from '@casefile/contracts';
import { existing } from '../http/act-of.js';
import { route } from '../http/route.js';

/** Erasures in one list. */
const LISTED = 100;

/** Erasure of the content of cases. */
export const erasureRoutes = [
  route({
    method: 'post',
    path: '/erasures',
    operationId: 'erase',
    right: 'admin',
    tag: 'erasures',
    summary: 'Erase content of cases, or count what would be erased',
    input: { body: eraseSchema },
    answer:
      '{ id, preview }: cases are erased from now on, those with open work when it has ended. `GET /erasures/{erasureId}` shows the progress',
    status: 202,
    response: requestedErasureSchema,
    handler: async ({ store: { erasures }, newId }, { body }) => {
      const { classes = [...ERASABLE_CLASSES], dryRun = false, by, reason, subject = null } = body;
      const caseIds = subject === null ? (body.caseIds ?? []) : await erasures.casesWith(subject);
      const preview = await erasures.preview({ caseIds, classes, subject });
      const isNothing = preview.cases === 0 && preview.deadLetters === 0;
      if (dryRun || isNothing) return { id: null, preview };
      const { id = newId() } = body;
      await erasures.request({ id, caseIds, classes, by, reason, subject });
      return { id, preview };
    },
  }),
  route({
    method: 'get',
    path: '/erasures',
    operationId: 'listErasures',
    right: 'admin',
    tag: 'erasures',
    summary: 'List erasures, the newest first',
    input: {},
    answer: '{ erasures, nextCursor }: the newest 100',
    response: erasureListSchema,
    handler: async ({ store }) => ({ erasures: await store.erasures.list(LISTED), nextCursor: null }),
  }),
  route({
    method: 'get',
    path: '/erasures/{erasureId}',
    operationId: 'getErasure',
    right: 'admin',
    tag: 'erasures',
    summary: 'Progress of an erasure, and the cases with open work',
    input: { params: z.object({ erasureId: z.string().max(100) }) },
    answer: 'The erasure with its counts',
    response: erasureDetailSchema,
    handler: async ({ store }, { params: { erasureId } }) =>
      existing('erasure', erasureId, await store.erasures.get(erasureId)),
  }),
  route({
    method: 'get',
    path: '/erased-cases',
    operationId: 'listErasedCases',
    right: 'admin',
    tag: 'erasures',
    summary:
      'Which cases were erased, the first erasure first; kept elsewhere, they can be repeated after a restore',
    input: { query: erasedCaseQuerySchema },
    answer: '{ erased, nextCursor }: case, classes, who, why and when',
    response: erasedCaseListSchema,
    handler: async ({ store }, { query }) => store.erasures.erasedCases(query),
  }),
];

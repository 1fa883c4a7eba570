import {
  auditCheckSchema,
  auditHeadSchema,
  auditListSchema,
  z,
  type AuditHead,
  limitField,
} from '@casefile/contracts';
import { route } from '../http/route.js';

function headIn(text: string | undefined): AuditHead | null {
  if (text === undefined) return null;
  const [count, hash = ''] = text.split(':');
  return { count: Number(count), hash };
}

/** The audit log: what people did, linked by hashes. */
export const auditRoutes = [
  route({
    method: 'get',
    path: '/audit',
    operationId: 'listAudit',
    right: 'admin',
    tag: 'audit',
    summary: 'Acts of people, by default newest first',
    input: {
      query: z.strictObject({
        actor: z.string().max(200).optional().describe('Who acted: a name as in `actor` of an entry.'),
        act: z.string().max(100).optional().describe('Name of the act.'),
        caseId: z.string().max(100).optional().describe('Acts on this case.'),
        order: z.enum(['newest', 'oldest']).default('newest').describe('Which entries come first.'),
        cursor: z
          .string()
          .regex(/^\d{1,15}$/, 'expected the nextCursor of an earlier answer')
          .optional()
          .describe('`nextCursor` of the answer before.'),
        limit: limitField(1_000, 100),
      }),
    },
    answer: '{ entries, nextCursor }: who did what to which case or subject, with its place in the chain',
    response: auditListSchema,
    handler: async ({ store }, { query: { cursor, limit, ...filter } }) => {
      const after = cursor === undefined ? undefined : Number(cursor);
      const entries = await store.audit.list({ ...filter, after, limit });
      const last = entries.at(-1);
      return { entries, nextCursor: entries.length < limit || last === undefined ? null : String(last.seq) };
    },
  }),
  route({
    method: 'get',
    path: '/audit/check',
    operationId: 'checkAudit',
    right: 'admin',
    tag: 'audit',
    summary: 'Check the whole audit log: its chain of hashes, and the events that it names',
    input: { query: z.strictObject({ head: auditHeadSchema.optional() }) },
    answer: '{ count, head, problems, findings }',
    response: auditCheckSchema,
    handler: async ({ store }, { query }) => {
      const { count, hash, problems, findings } = await store.audit.check(headIn(query.head));
      return { count, head: `${count}:${hash}`, problems, findings };
    },
  }),
];

import { CASE_STATUSES, LANES, z } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

const time = z.union([z.iso.datetime({ offset: true }), z.iso.date()], {
  error: 'expected a date (2026-01-31) or a time with its zone (2026-01-31T10:00:00Z)',
});

export const listCasesInput = {
  query: z.strictObject({
    status: z.enum(CASE_STATUSES).optional(),
    playbook: z.string().max(100).optional(),
    action: z.string().max(100).optional(),
    lane: z.enum(LANES).optional(),
    q: z.string().max(500).optional(),
    from: time.optional(),
    to: time.optional(),
    cursor: z.string().max(500).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
};

/** Cases, newest first: `{ items, nextCursor }`. */
export const listCases: Handler<typeof listCasesInput> = ({ store }, { query }) => store.listCases(query);

import { z, type DeadLetterList } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const listDeadLettersInput = {
  query: z.strictObject({
    q: z.string().max(500).optional(),
    reason: z.string().max(100).optional(),
    cursor: z.string().max(1_000).optional(),
    limit: z.coerce.number().int().min(1).max(1_000).default(100),
  }),
};

/** Work that waits for a person, newest first. */
export const listDeadLetters: Handler<typeof listDeadLettersInput> = async (
  { store },
  { query },
): Promise<DeadLetterList> => {
  const { items, nextCursor } = await store.findDeadLetters(query);
  return { deadLetters: items, nextCursor, items };
};

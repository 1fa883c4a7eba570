import { z } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const listDeadLettersInput = {
  query: z.strictObject({ limit: z.coerce.number().int().min(1).max(1_000).default(100) }),
};

/** Work that waits for a person: `{ items }`. */
export const listDeadLetters: Handler<typeof listDeadLettersInput> = async ({ store }, { query }) => ({
  items: await store.listDeadLetters(query.limit),
});

import {
  deadLetterSchema,
  shownDeadLetter,
  timeSchema,
  z,
  type DeadLetter,
  type DeadLetterList,
} from '@casefile/contracts';
import type { Handler } from '../http/route.js';

/** Characters of a payload that a list shows whole: more than any text of an alert, less than an image. */
const PAYLOAD_SHOWN = 20_000;

/** Filters of a list of dead letters, and of what is redriven by filter. */
export const deadLetterFilter = {
  q: z.string().max(500).optional(),
  reason: z.string().max(100).optional(),
  kind: deadLetterSchema.shape.kind.optional(),
  source: z.string().max(200).optional().describe("A part of the sender's name."),
  from: timeSchema.optional(),
  to: timeSchema.optional().describe('Until this time. A date includes its whole day, in UTC.'),
};

export const listDeadLettersInput = {
  query: z.strictObject({
    ...deadLetterFilter,
    cursor: z.string().max(1_000).optional(),
    limit: z.coerce.number().int().min(1).max(1_000).default(100),
  }),
};

/** Work that waits for a person, newest first. */
export const listDeadLetters: Handler<typeof listDeadLettersInput, DeadLetterList> = async (
  { store },
  { query },
) => {
  const { cursor: _cursor, limit: _limit, reason: _reason, ...others } = query;
  const [{ items, nextCursor }, reasons] = await Promise.all([
    store.deadLetters.find(query),
    store.deadLetters.count(others),
  ]);
  const deadLetters = items.map(withShortPayload);
  return { deadLetters: deadLetters.map(shownDeadLetter), nextCursor, reasons, items: deadLetters };
};

// The whole of it is at its own address.
function withShortPayload(letter: DeadLetter): DeadLetter {
  const text = JSON.stringify(letter.payload);
  if (text.length <= PAYLOAD_SHOWN) return letter;
  return { ...letter, payload: { cut: true, characters: text.length, head: text.slice(0, PAYLOAD_SHOWN) } };
}

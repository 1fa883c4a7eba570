import { CasefileError, z, type DeadLetter } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const getDeadLetterInput = { params: z.object({ letterId: z.string().max(200) }) };

/** One dead letter with its whole payload. */
export const getDeadLetter: Handler<typeof getDeadLetterInput, DeadLetter> = async (
  { store },
  { params },
) => {
  const [letter] = await store.deadLetters.of([params.letterId]);
  if (letter === undefined) throw new CasefileError('not_found', 'no dead letter has this id');
  return letter;
};

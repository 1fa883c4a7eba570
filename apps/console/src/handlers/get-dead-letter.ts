import { CasefileError, shownDeadLetter, z, type ShownDeadLetter } from '@casefile/contracts';
import type { Handler } from '../http/route.js';

export const getDeadLetterInput = { params: z.object({ letterId: z.string().max(200) }) };

/** One dead letter with its whole payload; of an alert that was edited and accepted, the original. */
export const getDeadLetter: Handler<typeof getDeadLetterInput, ShownDeadLetter> = async (
  { store },
  { params },
) => {
  const [waiting] = await store.deadLetters.of([params.letterId]);
  const letter = waiting ?? (await store.deadLetters.edited(params.letterId));
  if (letter === null) throw new CasefileError('not_found', 'no dead letter has this id');
  return shownDeadLetter(letter);
};

import { z, type DeadLetterResults } from '@casefile/contracts';
import { idsSchema, noSuchLetter, wentWell } from '../dead-letter-results.js';
import type { Handler } from '../http/route.js';

export const dropDeadLettersInput = { body: z.strictObject({ ids: idsSchema }) };

/** Gives dead letters up: buried alerts go, quarantined runs are stopped. `{ results }` says for each whether it went. */
export const dropDeadLetters: Handler<typeof dropDeadLettersInput, DeadLetterResults> = async (
  { store },
  { body },
) => {
  const ids = [...new Set(body.ids)];
  const letters = await store.deadLetters.of(ids);
  const dropped = new Set(await store.deadLetters.drop(letters.map((letter) => letter.id)));
  const went = letters.filter((letter) => dropped.has(letter.id));
  return { results: [...went.map(wentWell), ...ids.filter((id) => !dropped.has(id)).map(noSuchLetter)] };
};

import {
  CasefileError,
  redriveDeadLetterSchema,
  z,
  type DeadLetter,
  type JsonObject,
  type RedrivenDeadLetter,
} from '@casefile/contracts';
import type { ConsolePorts } from '../console-ports.js';
import { redriveAlert, wentWell } from '../dead-letter-results.js';
import type { Handler } from '../http/route.js';

export const redriveDeadLetterInput = {
  params: z.object({ letterId: z.string().max(200) }),
  body: redriveDeadLetterSchema,
};

/**
 * Sends one dead letter on its way again, with an edited alert if the request has one.
 * @throws CasefileError `not_found`, `conflict` for an edit of something else than an alert; InvalidInput as intake throws it.
 */
export const redriveDeadLetter: Handler<typeof redriveDeadLetterInput, RedrivenDeadLetter> = async (
  ports,
  { params, body: { alert, by = 'console' } },
) => {
  const [letter] = await ports.store.deadLetters.of([params.letterId]);
  if (letter === undefined) throw new CasefileError('not_found', 'no dead letter has this id');
  if (letter.kind !== 'run')
    return redriveAlert(ports, letter, alert === undefined ? undefined : { alert, by });
  return redriveRun(ports, letter, alert);
};

async function redriveRun(
  { store, queue }: ConsolePorts,
  letter: DeadLetter,
  alert: JsonObject | undefined,
): Promise<RedrivenDeadLetter> {
  if (alert !== undefined)
    throw new CasefileError(
      'conflict',
      'This dead letter is a run. Only an alert that was not accepted can be edited.',
    );
  const { redriven, nudges } = await store.deadLetters.redrive(letter.runId === null ? [] : [letter.runId]);
  await queue.nudge(nudges);
  if (redriven.length === 0) throw new CasefileError('not_found', 'no dead letter has this id');
  return wentWell(letter);
}

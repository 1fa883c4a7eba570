import {
  CasefileError,
  type DeadLetter,
  type DeadLetterResults,
  type JsonObject,
  type RedrivenDeadLetter,
} from '@casefile/contracts';
import { problemOf, recordReport } from '@casefile/runtime';
import type { ConsolePorts } from './console-ports.js';

/** Result of one dead letter in a request for many: done, or the problem. */
export type DeadLetterResult = DeadLetterResults['results'][number];

/** Result for a dead letter that was redriven or dropped. */
export function wentWell({ id, kind, caseId }: DeadLetter): RedrivenDeadLetter {
  return { id, kind, caseId };
}

function wentWrong(id: string, thrown: unknown): DeadLetterResult {
  return { id, problem: problemOf(thrown).problem };
}

/** Result for an id that is unknown or was acted on already. A repeated request therefore does no harm. */
export function noSuchLetter(id: string): DeadLetterResult {
  return wentWrong(id, new CasefileError('not_found', 'no dead letter has this id'));
}

/**
 * Sends the alert of a dead letter through intake again. Its idempotency key accepts the alert only once, even if the
 * redrive is repeated or was cut short before the dead letter was removed. An edited alert keeps the proof of
 * its sender: the event names the editor.
 * @throws the errors of intake.
 */
export async function redriveAlert(
  ports: ConsolePorts,
  letter: DeadLetter,
  edit?: { alert: JsonObject; by: string },
): Promise<RedrivenDeadLetter> {
  const { id, kind, payload, provenBy } = letter;
  const { store, intake } = ports;
  if (kind === 'feedback') return redriveFeedback(ports, letter, edit !== undefined);
  const original = edit === undefined ? null : await intake.maskedOriginal(payload);
  const accepted = await intake.receive(edit?.alert ?? payload, {
    ownKey: `dead-letter:${id}`,
    ...(provenBy ? { provenBy } : {}),
  });
  if ('ignored' in accepted) {
    await store.deadLetters.drop([id]);
    return wentWell({ ...letter, caseId: null });
  }
  await store.deadLetters.settle(id, accepted, edit && { original, by: edit.by });
  return wentWell({ ...letter, caseId: accepted.caseId });
}

/** Records feedback again. If the report was recorded meanwhile, it counts as a repeat. */
async function redriveFeedback(
  ports: ConsolePorts,
  letter: DeadLetter,
  isEdited: boolean,
): Promise<RedrivenDeadLetter> {
  if (isEdited) throw new CasefileError('conflict', 'Only an alert that was not accepted can be edited.');
  const { caseId, runId } = await recordReport(ports, letter.payload);
  await ports.store.deadLetters.settle(letter.id, { caseId, runId, alertId: runId });
  return wentWell({ ...letter, caseId });
}

/** Number of alerts that go through intake concurrently. */
const ALERTS_AT_ONCE = 10;

/** Redrives quarantined and parked runs in one statement. */
export async function redriveRuns(
  { store, queue }: ConsolePorts,
  letters: DeadLetter[],
): Promise<DeadLetterResult[]> {
  if (letters.length === 0) return [];
  const { redriven, nudges } = await store.deadLetters.redrive(
    letters.flatMap((letter) => letter.runId ?? []),
  );
  await queue.nudge(nudges);
  const went = new Set(redriven);
  return letters.map((letter) => (went.has(letter.id) ? wentWell(letter) : noSuchLetter(letter.id)));
}

/** Redrives alerts and feedback, a few concurrently. A refused one is a result, not an error. */
export async function redriveAlerts(ports: ConsolePorts, letters: DeadLetter[]): Promise<DeadLetterResult[]> {
  const results: DeadLetterResult[] = [];
  for (let first = 0; first < letters.length; first += ALERTS_AT_ONCE) {
    const some = letters.slice(first, first + ALERTS_AT_ONCE);
    results.push(...(await Promise.all(some.map((letter) => portResult(ports, letter)))));
  }
  return results;
}

async function portResult(ports: ConsolePorts, letter: DeadLetter): Promise<DeadLetterResult> {
  return redriveAlert(ports, letter).catch((thrown: unknown) => wentWrong(letter.id, thrown));
}

/**
 * Redrives one run.
 * @throws CasefileError `conflict` if an edited alert is given, `not_found` if the run was acted on already.
 */
export async function redriveRun(
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

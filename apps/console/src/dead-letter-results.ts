import {
  CasefileError,
  z,
  type DeadLetter,
  type DeadLetterResults,
  type JsonObject,
  type RedrivenDeadLetter,
} from '@casefile/contracts';
import { problemOf } from '@casefile/runtime';
import type { ConsolePorts } from './console-ports.js';

export type DeadLetterResult = DeadLetterResults['results'][number];

/** Dead letters acted on in one request; what is beyond is for the next one. */
export const AT_ONCE = 10_000;

/** Ids as requests name them. */
export const idsSchema = z.array(z.string().min(1).max(200)).min(1).max(AT_ONCE);

export function wentWell({ id, kind, caseId }: DeadLetter): RedrivenDeadLetter {
  return { id, kind, caseId };
}

export function wentWrong(id: string, thrown: unknown): DeadLetterResult {
  return { id, problem: problemOf(thrown).problem };
}

/** Nothing is done for an id that is none, or was acted on already: a request that is repeated does no harm. */
export function noSuchLetter(id: string): DeadLetterResult {
  return wentWrong(id, new CasefileError('not_found', 'no dead letter has this id'));
}

/**
 * Sends a buried alert through intake again. The idempotency key accepts the alert once if the redrive is repeated, or was cut
 * short before the dead letter was removed. An edited alert keeps the proof of its sender: the event names who edited it.
 * @throws what intake throws.
 */
export async function redriveAlert(
  { store, intake }: Pick<ConsolePorts, 'store' | 'intake'>,
  letter: DeadLetter,
  edit?: { alert: JsonObject; by: string },
): Promise<RedrivenDeadLetter> {
  const { id, payload, provenBy } = letter;
  const original = edit === undefined ? null : await intake.original(payload);
  const accepted = await intake.accept(edit?.alert ?? payload, {
    idempotencyKey: `dead-letter:${id}`,
    ...(provenBy ? { provenBy } : {}),
  });
  await store.deadLetters.settle(id, accepted, edit && { original, by: edit.by });
  return wentWell({ ...letter, caseId: accepted.caseId });
}

import { CasefileError, z, type DeadLetter, type DeadLetterResults } from '@casefile/contracts';
import { problemOf } from '@casefile/runtime';

export type DeadLetterResult = DeadLetterResults['results'][number];

/** Dead letters acted on in one request; what is beyond is for the next one. */
export const AT_ONCE = 10_000;

/** Ids as requests name them. */
export const idsSchema = z.array(z.string().min(1).max(200)).min(1).max(AT_ONCE);

export function wentWell({ id, kind, caseId }: DeadLetter): DeadLetterResult {
  return { id, kind, caseId };
}

export function wentWrong(id: string, thrown: unknown): DeadLetterResult {
  return { id, problem: problemOf(thrown).problem };
}

/** Nothing is done for an id that is none, or was acted on already: a request that is repeated does no harm. */
export function noSuchLetter(id: string): DeadLetterResult {
  return wentWrong(id, new CasefileError('not_found', 'no dead letter has this id'));
}

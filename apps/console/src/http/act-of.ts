import { CasefileError, type Act } from '@casefile/contracts';

/** Fields of a request about who acts. */
interface StatedAct {
  by?: string | undefined;
  reason?: string | undefined;
  actId?: string | undefined;
}

/** Returns the act of a request. Default: by `console`, without a reason, with a new id. */
export function actOf(
  { newId }: { newId(): string },
  { by = 'console', reason = '', actId = newId() }: StatedAct,
): Act {
  return { by, reason, actId };
}

/** Returns the value. @throws CasefileError `not_found` that names the thing and the id. */
export function existing<T>(what: string, id: string, value: T | null): T {
  if (value !== null) return value;
  throw new CasefileError('not_found', `no ${what} has the id "${id}"`);
}

import { asCasefileError, later, type CasefileError, type Later, reasonOf } from '@casefile/contracts';
import type { StagePorts } from '../stage-ports.js';

/** S4-31: what no further call mends, and the reason code it ends with. */
const PERMANENT: Record<string, string> = {
  bad_key: 'llm_error',
  quota_exhausted: 'llm_error',
  bad_request: 'invalid_schema',
  refused: 'refused',
  bad_answer: 'llm_error',
  too_large: 'llm_error',
};
/** How long is waited when the provider names no time of its own. */
const OUTAGE_DELAY_MS = 30_000;

/** How a call that failed goes on: the run waits, or the evaluation ends with a reason code. */
export type AfterFailure = { later: Later } | { reasonCode: string; error: CasefileError };

/**
 * What follows a call of the model that failed after its attempts. An outage is waited out as long as the patience
 * lasts where the run waits at all; then it is `rate_limit_exceeded` or `llm_error`. S4-30, S4-31.
 * @param patientUntil milliseconds since the epoch; null: no patience.
 * @throws what is no failure of the model: of the worker, of the house, or for want of money, which parks the run.
 */
export function afterModelFailure(
  thrown: unknown,
  { run, clock, signal }: Pick<StagePorts, 'run' | 'clock' | 'signal'>,
  patientUntil: number | null,
): AfterFailure {
  const error = asCasefileError(thrown);
  const permanent = PERMANENT[error.reasonCode];
  if (signal.aborted || (permanent === undefined && !isTransient(error.reasonCode))) throw thrown;
  if (permanent !== undefined) return { reasonCode: permanent, error };
  const delay = error.retryAfterMs ?? OUTAGE_DELAY_MS;
  const patient = run.settings.onOutage === 'later' && patientUntil !== null;
  if (patient && clock.now() + delay < patientUntil) return { later: later(delay, error.reasonCode) };
  return { reasonCode: error.reasonCode === 'rate_limited' ? 'rate_limit_exceeded' : 'llm_error', error };
}

/** S4-30: may another time mend it? */
function isTransient(code: string): boolean {
  return reasonOf(code).retry === true || code === 'circuit_open';
}

import { CasefileError, type NewEvent } from '@casefile/contracts';
import { shareOf } from '../models/attempt-policy.js';
import type { ModelWay } from '../models/paid-model.js';
import type { Permission } from '../models/provider-circuits.js';

/** Over how long those come back who waited for one provider, in milliseconds. */
const SPREAD_MS = 5_000;

/** What the trace tells when the next provider of the list is asked. */
export function fallbackEvent(step: number, from: ModelWay, to: ModelWay, why: CasefileError): NewEvent {
  const data = { step, from: from.model.provider, to: to.model.provider, reasonCode: why.reasonCode };
  return { type: 'provider.fallback', data };
}

/** What the trace tells when a budget had no room for a model. */
export function budgetEvent(step: number, { model }: ModelWay, { details }: CasefileError): NewEvent {
  const { key, window } = details;
  return {
    type: 'budget.exhausted',
    data: { step, model: model.model, key: String(key), window: String(window) },
  };
}

/**
 * The provider is not asked for now. All who wait for it would come back at once: each is told a time of its own.
 * @param words by which the time is drawn, the same for the same words.
 */
export function circuitOpen(
  provider: string,
  { waitMs, reason }: Extract<Permission, { goes: false }>,
  words: string,
): CasefileError {
  const retryAfterMs = Math.ceil(waitMs + shareOf(words) * SPREAD_MS);
  const message = `${provider} is left alone for ${Math.ceil(waitMs / 1000)} s: ${reason ?? 'it failed'}`;
  return new CasefileError('circuit_open', message, { retryable: true, retryAfterMs });
}

/** Of several outages: the first in what is said, the shortest in how long to wait. */
export function summed(failures: CasefileError[]): CasefileError {
  const [first] = failures;
  if (first === undefined) return new CasefileError('no_provider', 'no language model is configured');
  const waits = failures.flatMap(({ retryAfterMs }) => (retryAfterMs === undefined ? [] : [retryAfterMs]));
  if (failures.length === 1 || waits.length === 0) return first;
  const { reasonCode, message, retryable, details } = first;
  const retryAfterMs = Math.min(...waits);
  return new CasefileError(reasonCode, message, { retryable, retryAfterMs, details, cause: first });
}

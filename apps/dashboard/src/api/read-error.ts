import type { Condition } from '@casefile/contracts';
import { ApiProblem } from './request.js';

const STORES_OUT = ['store_out', 'queue_out'];
/** Reason codes whose message states the outage already. */
const STATED = ['store_unreachable', 'queue_unavailable'];

/**
 * Returns the outage that explains a failed read: what is out, what still works and what to do; null: the error
 * explains itself.
 */
export function outageBehind(error: unknown, conditions: readonly Condition[]): string | null {
  if (!(error instanceof ApiProblem) || (error.status !== 0 && error.status < 500)) return null;
  if (error.reasonCode !== null && STATED.includes(error.reasonCode)) return null;
  const outage = conditions.find(({ id }) => STORES_OUT.includes(id));
  if (outage === undefined) return null;
  return `${outage.text.replace(/\.$/, '')}. ${outage.effect} ${outage.act}`;
}

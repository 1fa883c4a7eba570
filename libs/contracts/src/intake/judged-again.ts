import type { AcceptRequest } from '../ports/runs.js';
import type { KnownCase, KnownVerdict } from './known-case.js';

/** Is the case to be judged again for this alert? */
export function isDue(
  found: Pick<KnownCase, 'status' | 'decidedAgoMs' | 'verdict'>,
  request: Pick<AcceptRequest, 'again' | 'holdOffMs' | 'settings'>,
  providersOut: ReadonlySet<string>,
): boolean {
  if (request.again === true) return true;
  const { status, decidedAgoMs, verdict } = found;
  if (status !== 'decided' || decidedAgoMs === null) return false;
  if (request.again === 'key' || decidedAgoMs > request.holdOffMs) return true;
  return verdict !== null && isJudgedAgain(verdict, decidedAgoMs, request, providersOut);
}

/**
 * How long a verdict still holds when what it lacked is not known to be there again (a look-up that failed, a model that
 * refuses): a storm of repeats asks once a minute and not with each alert.
 */
const LOOK_AGAIN_AFTER_MS = 60_000;

/** Causes that are gone as soon as a model can be asked again. */
const OF_THE_MODEL = new Set(['model_out', 'timeout', 'unreadable']);

/**
 * Does this verdict hold an alert of the same case off? A degraded one does not once its cause is gone: a model can be
 * asked, a budget may have room (only asking tells), or a minute is over for look-ups and all the rest. Nor does one
 * that rules made because no model was configured, once there is one. Where nothing could be read it does: the same
 * image reads no better. S1-17.
 * @param decidedAgoMs how long ago it was made, in milliseconds.
 * @param providersOut providers that are not asked now.
 */
function isJudgedAgain(
  verdict: KnownVerdict,
  decidedAgoMs: number,
  { settings }: Pick<AcceptRequest, 'settings'>,
  providersOut: ReadonlySet<string>,
): boolean {
  const providers = [settings.provider, ...(settings.fallbackProviders ?? [])];
  const canAsk = providers.some((name) => name !== 'none' && !providersOut.has(name));
  // Verdicts that are older than the codes called both degraded: no model, and one that failed.
  if (verdict.provider === 'none' && verdict.method === 'heuristic' && canAsk) return true;
  if (!verdict.degraded) return false;
  const causes = verdict.degradedBy.length > 0 ? verdict.degradedBy : ['model_out'];
  return causes.some((cause) => {
    if (cause === 'no_text') return false;
    if (OF_THE_MODEL.has(cause)) return canAsk;
    return cause === 'budget' || decidedAgoMs > LOOK_AGAIN_AFTER_MS;
  });
}

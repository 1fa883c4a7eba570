import type { AcceptRequest } from '../ports/runs.js';
import type { KnownCase, KnownVerdict } from './known-case.js';

/** Returns whether the case is judged again for this alert. */
export function isDue(
  knownCase: Pick<KnownCase, 'status' | 'decidedAgoMs' | 'isAnswered' | 'verdict'>,
  request: Pick<AcceptRequest, 'again' | 'holdOffMs' | 'settings'>,
  providersOut: ReadonlySet<string>,
): boolean {
  if (request.again === true) return true;
  const { status, decidedAgoMs, isAnswered, verdict } = knownCase;
  if (status !== 'decided' || decidedAgoMs === null) return false;
  if (request.again === 'key' || decidedAgoMs > request.holdOffMs) return true;
  // A proposal never replaces the degraded verdict of the leading run, so each repeat would open a run.
  if (isAnswered) return false;
  return verdict !== null && isJudgedAgain(verdict, decidedAgoMs, request, providersOut);
}

/**
 * Time for which a degraded verdict holds if its cause (a failed look-up, a model that refuses) may be gone.
 * During a storm of repeats, the case is then judged again once a minute instead of for each alert.
 */
const LOOK_AGAIN_AFTER_MS = 60_000;

/** Causes that are gone as soon as a model is available again. */
const OF_THE_MODEL = new Set(['model_out', 'timeout', 'unreadable']);

/**
 * Returns whether the case is judged again. A degraded verdict is judged again once its cause may be gone: a
 * model is available, a budget may have room (known only by trying), or a minute has passed since failed
 * look-ups and other causes. A verdict made by rules because no model was configured is judged again once
 * there is a model. A verdict without any readable text is kept, because the same image reads no better.
 * @param decidedAgoMs milliseconds since the verdict.
 * @param providersOut unavailable providers.
 */
function isJudgedAgain(
  verdict: KnownVerdict,
  decidedAgoMs: number,
  { settings }: Pick<AcceptRequest, 'settings'>,
  providersOut: ReadonlySet<string>,
): boolean {
  const providers = [settings.provider, ...(settings.fallbackProviders ?? [])];
  const canAsk = providers.some((name) => name !== 'none' && !providersOut.has(name));
  // Verdicts from before the codes were marked degraded both if no model was configured and if one failed.
  if (verdict.provider === 'none' && verdict.method === 'heuristic' && canAsk) return true;
  if (!verdict.degraded) return false;
  const causes = verdict.degradedBy.length > 0 ? verdict.degradedBy : ['model_out'];
  return causes.some((cause) => {
    if (cause === 'no_text') return false;
    if (OF_THE_MODEL.has(cause)) return canAsk;
    return cause === 'budget' || decidedAgoMs > LOOK_AGAIN_AFTER_MS;
  });
}

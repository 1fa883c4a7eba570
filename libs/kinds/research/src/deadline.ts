import type { Brief, RunSettings } from '@casefile/contracts';
import type { StagePorts } from '@casefile/pipeline/stage-ports';
import { optionsOf, requestIn } from './result.js';

/**
 * Returns the time at which a run has to end with its results so far, in milliseconds since the epoch; null:
 * no limit. The time counts from the request, or from the answer to a clarification.
 */
export function endsBy(brief: Brief, settings: RunSettings): number | null {
  const { endWithinMs } = optionsOf(settings);
  if (endWithinMs === null) return null;
  const answeredAt = requestIn(brief).clarified?.at ?? null;
  const from = [brief.receivedAt, ...(answeredAt === null ? [] : [answeredAt])].map((at) => Date.parse(at));
  return Math.max(...from) + endWithinMs;
}

/**
 * Returns how long a run waits for its searches, in milliseconds. The limit of the whole run also applies.
 */
export function searchWaitMs(brief: Brief, { run, clock }: StagePorts): number {
  const { toolWaitMs } = optionsOf(run.settings);
  const until = endsBy(brief, run.settings);
  return until === null ? toolWaitMs : Math.max(1, Math.min(toolWaitMs, until - clock.now()));
}

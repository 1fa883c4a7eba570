import type { Brief, RunSettings } from '@casefile/contracts';
import type { StagePorts } from '../../stage-ports.js';
import { optionsOf, requestIn } from './result.js';

/**
 * When a run has to end with what there is, in milliseconds since the epoch; null: there is no such time. It counts from the
 * request, or from when its asker answered what it was asked.
 */
export function endsBy(brief: Brief, settings: RunSettings): number | null {
  const { endWithinMs } = optionsOf(settings);
  if (endWithinMs === null) return null;
  const answeredAt = requestIn(brief).clarified?.at ?? null;
  const from = [brief.receivedAt, ...(answeredAt === null ? [] : [answeredAt])].map((at) => Date.parse(at));
  return Math.max(...from) + endWithinMs;
}

/** How long searches are waited for at most, in milliseconds. */
const SEARCH_MS = 30_000;

/** How long a run waits for its searches, in milliseconds: not longer than it may take as a whole. */
export function searchWaitMs(brief: Brief, { run, clock }: StagePorts): number {
  const until = endsBy(brief, run.settings);
  return until === null ? SEARCH_MS : Math.max(1, Math.min(SEARCH_MS, until - clock.now()));
}

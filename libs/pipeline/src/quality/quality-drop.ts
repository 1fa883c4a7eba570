import { newcombe, type Proportion } from '../rollout/statistics.js';

/** Fewest labels of each period. With fewer, a drop cannot be distinguished from chance. */
const LEAST = 20;

/**
 * Returns whether fewer verdicts are right than in an earlier period: the 95 % interval of the difference is below 0. The
 * recent share is then below the 95 % interval of the earlier share.
 */
export function hasDropped(recent: Proportion, earlier: Proportion): boolean {
  return recent.n >= LEAST && earlier.n >= LEAST && newcombe(recent, earlier).high < 0;
}

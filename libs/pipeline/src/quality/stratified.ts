import { wilson, type Interval, type Proportion } from '../rollout/statistics.js';

/** Labelled verdicts of a part of all verdicts, drawn at random from it. */
export interface Stratum {
  /** Number of verdicts of the part, labelled or not. */
  size: number;
  /** Number of labelled verdicts, and of right ones among them. */
  labels: Proportion;
}

/**
 * Returns the share of all verdicts that is right, estimated from labels of each part, with its 95 % interval. Each part
 * counts by its size, however many labels it has. null: there are no verdicts, or a part without labels.
 *
 * The interval combines the Wilson intervals of the parts by the method of variance estimates recovery (Zou and Donner,
 * Statistics in Medicine 27, 2008, 1693-1702).
 */
export function stratifiedShare(strata: readonly Stratum[]): (Interval & { value: number }) | null {
  const present = strata.filter(({ size }) => size > 0);
  const total = present.reduce((sum, { size }) => sum + size, 0);
  if (total === 0 || present.some(({ labels }) => labels.n === 0)) return null;
  let [value, below, above] = [0, 0, 0];
  for (const { size, labels } of present) {
    const weight = size / total;
    const share = labels.x / labels.n;
    const { low, high } = wilson(labels);
    value += weight * share;
    below += (weight * (share - low)) ** 2;
    above += (weight * (high - share)) ** 2;
  }
  return { value, low: Math.max(0, value - Math.sqrt(below)), high: Math.min(1, value + Math.sqrt(above)) };
}

import type { Verdict, VerdictEffect } from '@casefile/contracts';

/** Parts of a verdict that leave Casefile. The record keeps the whole verdict. */
export interface Outward {
  /** Written in the transaction of the verdict, in lanes that have an outward effect. */
  effects: VerdictEffect[];
  /**
   * Returns the verdict as receivers get it.
   * @param opened Stage of the session that the verdict opened or continued. null: neither.
   */
  verdict(opened: string | null): Verdict;
}

/** Returns the recorded verdict unchanged, without effects. */
export function asRecorded(verdict: Verdict): Outward {
  return { effects: [], verdict: () => verdict };
}

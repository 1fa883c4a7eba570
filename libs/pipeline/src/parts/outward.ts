import type { Verdict, VerdictEffect } from '@casefile/contracts';

/** What leaves Casefile with a verdict. The record keeps the whole verdict. */
export interface Outward {
  /** Written in the transaction of the verdict, in lanes that have an outward effect. */
  effects: VerdictEffect[];
  /**
   * Returns the verdict as receivers get it.
   * @param opened Stage of the session that the verdict opened or continued. null: it did neither.
   */
  verdict(opened: string | null): Verdict;
}

/** A verdict leaves as it is on the record and has no effects. */
export function asRecorded(verdict: Verdict): Outward {
  return { effects: [], verdict: () => verdict };
}

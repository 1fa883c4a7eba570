import type { ClaimedWork } from '@casefile/contracts';

/** How long a unit waits for its turn at a last try, in milliseconds. */
export const LAST_TRY_PAUSE_MS = 1_000;

/**
 * Lets one unit at a time begin the try after which a crash would quarantine it. A dying process takes all its units
 * with it, and nobody sees which one killed it. Tried one after another, the innocent ones end their step, and only the one that
 * kills its worker is quarantined (R14).
 */
export class LastTry {
  private underWay: string | null = null;

  /** @param maxCrashes Crashes of one step after which its unit is quarantined. */
  constructor(private readonly maxCrashes: number) {}

  /** May this unit be worked on now? False: it has to wait for another one. Call `ended` for each that began. */
  mayBegin(work: ClaimedWork): boolean {
    if (!this.isLast(work)) return true;
    if (this.underWay !== null) return false;
    this.underWay = keyOf(work);
    return true;
  }

  ended(work: ClaimedWork): void {
    if (this.isLast(work) && this.underWay === keyOf(work)) this.underWay = null;
  }

  private isLast({ crashes }: ClaimedWork): boolean {
    return crashes > 0 && crashes >= this.maxCrashes - 1;
  }
}

function keyOf({ lease }: ClaimedWork): string {
  return `${lease.runId} ${lease.unit} ${lease.epoch}`;
}

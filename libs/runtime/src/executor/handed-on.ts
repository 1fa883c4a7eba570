import type { ClaimedWork, StageKey } from '@casefile/contracts';
import type { KnownArtifacts } from './run-ahead.js';

/** A unit that is begun: what its stage works on, and what else of the run's artifacts this process has seen. */
export interface Begun {
  work: ClaimedWork;
  known: KnownArtifacts;
}

/** Units kept at most; the others are claimed and read when their job comes. */
const MOST_KEPT = 500;
/** A job that has not come for so long, in milliseconds, may have gone to another process. */
const KEPT_MS = 10_000;

/**
 * Units that this process made due for a service it hosts too. Their jobs go by the queue; whoever takes one here begins with
 * what is kept, and its first write claims the unit. A job that another process takes is claimed there, which ends the right
 * of what is kept here.
 */
export class HandedOn {
  private readonly kept = new Map<string, Begun & { since: number }>();

  constructor(private readonly now: () => number) {}

  keep(begun: Begun): void {
    this.letGoOfOld();
    if (this.kept.size < MOST_KEPT) this.kept.set(keyOf(begun.work.lease), { ...begun, since: this.now() });
  }

  /** Each is taken once; null: it has to be claimed. */
  take(key: StageKey): Begun | null {
    const place = keyOf(key);
    const found = this.kept.get(place);
    this.kept.delete(place);
    return found ?? null;
  }

  private letGoOfOld(): void {
    for (const [place, { since }] of this.kept) {
      if (this.now() - since < KEPT_MS) return;
      this.kept.delete(place);
    }
  }
}

function keyOf({ runId, unit, stage, round }: StageKey): string {
  return `${runId}/${unit}/${stage}/${round}`;
}

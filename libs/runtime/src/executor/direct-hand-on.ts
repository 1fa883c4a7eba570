import type { Lane } from '@casefile/contracts';
import { laneGroupOf, type LaneGroup } from '@casefile/queue';

/** How much of a stage one process does at once. */
export interface StageSlots {
  live: number;
  /** For the lanes nobody waits for. */
  bulk: number;
}

/**
 * Says when a worker may go on with a run's next stage itself instead of sending it through the queue: within its own
 * service always; else where the setting wants it, the stage is hosted in this process, and it has a free slot here. Nothing
 * is lost by it, for what is due is in Postgres either way; it takes the step out of sight of who watches the queues.
 */
export class DirectHandOn {
  private readonly slots = new Map<string, StageSlots>();
  private readonly busy = new Map<string, number>();

  constructor(private readonly isWanted: boolean) {}

  /** This process works on the queues of this stage. */
  host(stage: string, slots: StageSlots): void {
    this.slots.set(stage, slots);
  }

  /** A stage is begun here, whichever way it came. Returns what to call when it is over. */
  begin(stage: string, lane: Lane): () => void {
    const key = keyOf(stage, laneGroupOf(lane));
    this.busy.set(key, (this.busy.get(key) ?? 0) + 1);
    return () => void this.busy.set(key, (this.busy.get(key) ?? 1) - 1);
  }

  /** May a worker go on with this stage under the lease it has? Within a service it may always. */
  mayFollow(stage: string, lane: Lane, isOwnService: boolean): boolean {
    if (!this.hosts(stage)) return false;
    return isOwnService || (this.isWanted && this.isFree(stage, lane));
  }

  /** Are the jobs of this stage worked in this process? */
  hosts(stage: string): boolean {
    return this.slots.has(stage);
  }

  /**
   * Takes note of work of this stage that its caller is about to claim; null: it belongs into the queue, since the stage is not
   * hosted here, its slots are taken, or as many as there are slots are on their way already.
   */
  expect(stage: string, lane: Lane): (() => void) | null {
    const group = laneGroupOf(lane);
    const key = `expected ${keyOf(stage, group)}`;
    const expected = this.busy.get(key) ?? 0;
    if (group !== 'live' || !this.isFree(stage, lane)) return null;
    if (expected >= 2 * (this.slots.get(stage)?.live ?? 0)) return null;
    this.busy.set(key, expected + 1);
    return () => void this.busy.set(key, (this.busy.get(key) ?? 1) - 1);
  }

  private isFree(stage: string, lane: Lane): boolean {
    const group = laneGroupOf(lane);
    const slots = this.slots.get(stage)?.[group] ?? 0;
    return (this.busy.get(keyOf(stage, group)) ?? 0) < slots;
  }
}

function keyOf(stage: string, group: LaneGroup): string {
  return `${stage}/${group}`;
}

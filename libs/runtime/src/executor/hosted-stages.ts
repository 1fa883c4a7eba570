import type { Lane } from '@casefile/contracts';
import { laneGroupOf } from '@casefile/queue';

/** How much of a stage one process does at once: live work, and work of the lanes that no sender waits for. */
interface StageSlots {
  live: number;
  bulk: number;
}

interface HostedStage {
  slots: StageSlots;
  /** Slots in use. A worker that continues within its service may use more than there are. */
  busy: StageSlots;
  /** Live units that an accept is about to claim for this stage, or has claimed and that have not begun. */
  expected: number;
}

/** The stages whose queues this process works on, and which of their slots are in use. */
export class HostedStages {
  private readonly stages = new Map<string, HostedStage>();

  add(stage: string, slots: StageSlots): void {
    this.stages.set(stage, { slots, busy: { live: 0, bulk: 0 }, expected: 0 });
  }

  /** How many units are expected, over all stages. */
  get expected(): number {
    return [...this.stages.values()].reduce((sum, { expected }) => sum + expected, 0);
  }

  has(stage: string): boolean {
    return this.stages.has(stage);
  }

  /** Has the stage a slot for another unit of this lane? */
  isFree(stage: string, lane: Lane): boolean {
    const group = laneGroupOf(lane);
    const hosted = this.stages.get(stage);
    return hosted !== undefined && hosted.busy[group] < hosted.slots[group];
  }

  /** Takes a slot, also if none is free. @returns the function that returns the slot. */
  begin(stage: string, lane: Lane): () => void {
    const group = laneGroupOf(lane);
    const busy = this.stages.get(stage)?.busy;
    if (busy === undefined) return () => undefined;
    busy[group] += 1;
    return () => void (busy[group] -= 1);
  }

  /**
   * Notes a live unit that its caller is about to claim; null: the unit goes by its queue, because the stage has no free slot or
   * twice as many units as slots are expected. @returns the function that ends the expectation.
   */
  expect(stage: string, lane: Lane): (() => void) | null {
    const hosted = this.stages.get(stage);
    if (hosted === undefined || laneGroupOf(lane) !== 'live' || !this.isFree(stage, lane)) return null;
    if (hosted.expected >= 2 * hosted.slots.live) return null;
    hosted.expected += 1;
    return () => void (hosted.expected -= 1);
  }
}

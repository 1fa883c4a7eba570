import { laneGroup, type Lane } from '@casefile/contracts';

/** Slots of a stage in one process: for live work, and for work of the lanes that no sender waits for. */
interface StageSlots {
  live: number;
  bulk: number;
}

interface HostedStage {
  slots: StageSlots;
  /**
   * Slots in use. The number may exceed `slots`, because a worker may continue with another stage of its
   * service without a free slot.
   */
  busy: StageSlots;
  /**
   * Live units of this stage that an accepting write will claim, or has claimed and that have not started.
   */
  reserved: number;
}

/** The stages whose queues this process serves, and their slots in use. */
export class HostedStages {
  private readonly stages = new Map<string, HostedStage>();

  add(stage: string, slots: StageSlots): void {
    this.stages.set(stage, { slots, busy: { live: 0, bulk: 0 }, reserved: 0 });
  }

  /** Number of reserved units over all stages. */
  get reserved(): number {
    return [...this.stages.values()].reduce((sum, { reserved }) => sum + reserved, 0);
  }

  has(stage: string): boolean {
    return this.stages.has(stage);
  }

  /** Returns whether the stage has a free slot for this lane. */
  isFree(stage: string, lane: Lane): boolean {
    const group = laneGroup(lane);
    const hosted = this.stages.get(stage);
    return hosted !== undefined && hosted.busy[group] < hosted.slots[group];
  }

  /** Takes a slot, even if none is free. @returns the function that releases the slot. */
  begin(stage: string, lane: Lane): () => void {
    const group = laneGroup(lane);
    const busy = this.stages.get(stage)?.busy;
    if (busy === undefined) return () => undefined;
    busy[group] += 1;
    return () => void (busy[group] -= 1);
  }

  /**
   * Reserves a slot for a live unit that the caller is about to claim. Returns null if the unit must use its
   * queue: no slot is free, or the reserved units already number twice the slots.
   * @returns the function that ends the reservation.
   */
  reserve(stage: string, lane: Lane): (() => void) | null {
    const hosted = this.stages.get(stage);
    if (hosted === undefined || laneGroup(lane) !== 'live' || !this.isFree(stage, lane)) return null;
    if (hosted.reserved >= 2 * hosted.slots.live) return null;
    hosted.reserved += 1;
    return () => void (hosted.reserved -= 1);
  }
}

/** Current work of a process, as named in logs. */
export interface Work {
  stage: string;
  runId: string;
}

/** Tracks current and recent work, to name what blocked the process. */
export class UnderWay {
  private readonly now = new Set<Work>();
  private ended: Work[] = [];

  async during<T>(work: Work, run: () => Promise<T>): Promise<T> {
    this.now.add(work);
    try {
      return await run();
    } finally {
      this.now.delete(work);
      // Limited in number, because `take` may never be called.
      if (this.ended.length < MOST_NAMED) this.ended.push(work);
    }
  }

  /** Returns work under way or ended since the last call, up to a limit. */
  take(): Work[] {
    const workItems = [...this.now, ...this.ended].slice(0, MOST_NAMED);
    this.ended = [];
    return workItems;
  }
}

const MOST_NAMED = 20;

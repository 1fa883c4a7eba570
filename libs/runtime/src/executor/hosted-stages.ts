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

/** Work of one process, as a log names it. */
export interface Work {
  stage: string;
  runId: string;
}

/** Knows what is worked on, and what was a moment ago: whoever finds the process blocked asks by what. */
export class UnderWay {
  private readonly now = new Set<Work>();
  private ended: Work[] = [];

  async during<T>(work: Work, run: () => Promise<T>): Promise<T> {
    this.now.add(work);
    try {
      return await run();
    } finally {
      this.now.delete(work);
      // Nobody may ever ask.
      if (this.ended.length < MOST_NAMED) this.ended.push(work);
    }
  }

  /** What is under way, or ended since this was last asked; so many at most. */
  take(): Work[] {
    const taken = [...this.now, ...this.ended].slice(0, MOST_NAMED);
    this.ended = [];
    return taken;
  }
}

const MOST_NAMED = 20;

/** Kinds of events that are counted. */
export const ACTIVITIES = ['verdicts', 'model calls', 'failures'] as const;
export type ActivityKind = (typeof ACTIVITIES)[number];

/** Returns the count that an event belongs to, or null if it is not counted. */
export function activityKind(type: string): ActivityKind | null {
  if (type === 'verdict.decided') return 'verdicts';
  if (type === 'interaction.completed') return 'model calls';
  return type === 'stage.failed' || type === 'run.quarantined' || type === 'run.stopped' ? 'failures' : null;
}

/** Counts of one kind, oldest first, and the start of each slot in seconds since the epoch. */
export interface ActivitySeries {
  at: number[];
  counts: Record<ActivityKind, number[]>;
}

/** Counts events by their time, in slots of `slotMs`, over the last `slots` of them. */
export class Activity {
  private readonly counted = new Map<number, Record<ActivityKind, number>>();

  constructor(
    private readonly slotMs = 5_000,
    private readonly slots = 72,
  ) {}

  add(kind: ActivityKind, atMs: number): void {
    const slot = Math.floor(atMs / this.slotMs);
    const counts = this.counted.get(slot) ?? none();
    counts[kind] += 1;
    this.counted.set(slot, counts);
  }

  /** Returns the series up to `nowMs`, without the current slot. Counts older than the series are dropped. */
  series(nowMs: number): ActivitySeries {
    const last = Math.floor(nowMs / this.slotMs) - 1;
    const first = last - this.slots + 1;
    for (const slot of this.counted.keys()) if (slot < first) this.counted.delete(slot);
    const slots = Array.from({ length: this.slots }, (_, i) => first + i);
    const read = (kind: ActivityKind): number[] => slots.map((slot) => this.counted.get(slot)?.[kind] ?? 0);
    return {
      at: slots.map((slot) => (slot * this.slotMs) / 1_000),
      counts: { verdicts: read('verdicts'), 'model calls': read('model calls'), failures: read('failures') },
    };
  }
}

function none(): Record<ActivityKind, number> {
  return { verdicts: 0, 'model calls': 0, failures: 0 };
}

/** Events that this page has received since it was opened. */
export const activity = new Activity();

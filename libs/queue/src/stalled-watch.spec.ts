import { silentLogger } from '@casefile/contracts';
import { ALL_QUEUES_CHECKED_EVERY_MS } from './queue-options.js';
import type { QueueStore, StalledJobs } from './queue-store.js';
import { StalledWatch, type WatchedQueue } from './stalled-watch.js';

/** A store with notes in memory, and the acts of the watches in their order. */
function memoryStore(stalledIn: Readonly<Record<string, string[]>> = {}) {
  const acts: string[] = [];
  const notes = new Set<string>();
  let isTaken = false;
  const stalled: StalledJobs = {
    isTurn: async () => !isTaken && (isTaken = true),
    note: async (queues) => {
      acts.push(`note ${queues.join(' ')}`);
      for (const queue of queues) notes.add(queue);
    },
    noted: async () => [...notes],
    free: async (queue) => {
      acts.push(`search ${queue}`);
      return stalledIn[queue] ?? [];
    },
  };
  const store = { stalled, unavailable: () => null } as unknown as QueueStore;
  return { store, acts, notes, nextInterval: () => void (isTaken = false) };
}

const queue = (name: string, busy = 0): WatchedQueue & { found: string[] } => {
  const found: string[] = [];
  return { queue: name, busy, found, sawStalled: (jobId) => void found.push(jobId) };
};

describe('the search for jobs of dead workers', () => {
  it('R1 searches each queue until the locks of a process that died before have ended, then asks nothing', async () => {
    const { store, acts, nextInterval } = memoryStore();
    let now = 0;
    const watch = new StalledWatch(store, [queue('reason'), queue('decide')], silentLogger, 2_000, () => now);
    const pass = async () => {
      acts.length = 0;
      nextInterval();
      await watch.tick();
      now += 2_000;
    };
    // A lock of 6 s that was renewed just before the death, and the pass that marks its job.
    for (let i = 0; i < 5; i += 1) {
      await pass();
      expect(acts).toEqual(['search reason', 'search decide']);
    }
    for (let i = 0; i < 20; i += 1) {
      await pass();
      expect(acts).toEqual([]);
    }
    now = ALL_QUEUES_CHECKED_EVERY_MS + 10_000;
    await pass();
    expect(acts).toEqual(['search reason', 'search decide']);
  });

  it('R1 searches a queue that another process noted, and reports what it frees', async () => {
    const { store, acts, notes, nextInterval } = memoryStore({ reason: ['1'], decide: ['2'] });
    const own = queue('reason');
    let now = 0;
    const watch = new StalledWatch(store, [own], silentLogger, 2_000, () => now);
    notes.add('decide');
    await watch.tick();
    expect(acts.toSorted()).toEqual(['search decide', 'search reason']);
    expect(own.found).toEqual(['1']);
    nextInterval();
    now = 20_000;
    acts.length = 0;
    await watch.tick();
    expect(acts).toEqual(['search decide']);
  });

  it('R4 repeats the note of a queue while it has jobs here, and lets one process search per interval', async () => {
    const { store, acts } = memoryStore();
    let now = 0;
    const [first, second] = [queue('reason', 1), queue('decide')].map(
      (one) => new StalledWatch(store, [one], silentLogger, 2_000, () => now),
    );
    await first!.tick();
    await second!.tick();
    acts.length = 0;
    now = 20_000;
    await first!.tick();
    await second!.tick();
    expect(acts).toEqual(['note reason']);
  });
});

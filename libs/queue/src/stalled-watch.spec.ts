import { silentLogger } from '@casefile/contracts';
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
  it('R1 asks nothing of queues without jobs, once each queue was searched', async () => {
    const { store, acts, nextInterval } = memoryStore();
    const watch = new StalledWatch(store, [queue('reason'), queue('decide')], silentLogger);
    await watch.tick();
    expect(acts).toEqual(['search reason', 'search decide']);
    for (let pass = 0; pass < 5; pass += 1) {
      nextInterval();
      await watch.tick();
    }
    expect(acts).toHaveLength(2);
  });

  it('R1 searches a queue that another process noted, and reports what it frees', async () => {
    const { store, acts, notes, nextInterval } = memoryStore({ reason: ['1'], decide: ['2'] });
    const own = queue('reason');
    const watch = new StalledWatch(store, [own], silentLogger);
    notes.add('decide');
    await watch.tick();
    expect(acts.toSorted()).toEqual(['search decide', 'search reason']);
    expect(own.found).toEqual(['1']);
    nextInterval();
    await watch.tick();
    expect(acts.at(-1)).toBe('search decide');
  });

  it('R4 repeats the note of a queue while it has jobs here, and lets one process search per interval', async () => {
    const { store, acts } = memoryStore();
    const [first, second] = [queue('reason', 1), queue('decide')].map(
      (one) => new StalledWatch(store, [one], silentLogger),
    );
    await first!.tick();
    await second!.tick();
    acts.length = 0;
    await first!.tick();
    await second!.tick();
    expect(acts).toEqual(['note reason']);
  });
});

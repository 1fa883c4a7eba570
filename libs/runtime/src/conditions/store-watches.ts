import type { Platform } from '../compose/platform.js';
import { StoreWatch } from './store-watch.js';

/** The watches of the stores that a console uses. */
export interface StoreWatches {
  store: StoreWatch;
  queue: StoreWatch;
}

const watchesByPlatform = new WeakMap<object, StoreWatches>();

/** Returns the watches of a platform. The guard and the routes of a console share them. */
export function storeWatches({
  store,
  queue,
  clock,
}: Pick<Platform, 'store' | 'queue' | 'clock'>): StoreWatches {
  const existing = watchesByPlatform.get(store);
  if (existing !== undefined) return existing;
  const created = {
    store: new StoreWatch(async (timeoutMs) => {
      // A database that does not answer is not asked for a write as well.
      await store.ping(timeoutMs);
      await store.proveWrites(timeoutMs);
    }, clock),
    queue: new StoreWatch((timeoutMs) => queue.ping(timeoutMs), clock),
  };
  watchesByPlatform.set(store, created);
  return created;
}

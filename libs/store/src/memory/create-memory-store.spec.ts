import { manualClock } from '@casefile/contracts/testing';
import { describeStore } from '../testing/store.conformance.js';
import { createMemoryStore } from './create-memory-store.js';

describeStore('the memory store', async () => {
  const clock = manualClock();
  const store = createMemoryStore({ clock });
  const passTime = async (ms: number): Promise<void> => clock.advance(ms);
  return { store, other: store, passTime, settled: async () => undefined, close: () => store.close() };
});

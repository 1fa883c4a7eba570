import { manualClock } from '@casefile/contracts/testing';
import { describeStore } from '../testing/store.conformance.js';
import { createMemoryStore } from './create-memory-store.js';

describeStore('the memory store', async () => {
  const clock = manualClock();
  const store = createMemoryStore({ clock });
  return { store, other: store, passTime: async (ms) => clock.advance(ms), close: () => store.close() };
});

import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock, Ids } from '@casefile/contracts';

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** UUID v7 (RFC 9562): 48 bits of time, so that ids sort in the order they were made, then randomness. */
export const systemIds: Ids = {
  id: () => {
    const time = Date.now().toString(16).padStart(12, '0');
    // The rest as of a UUID v4, of which Node makes many at a time: its variant and 74 random bits.
    return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
  },
  token: (bytes) => randomBytes(bytes).toString('hex'),
};

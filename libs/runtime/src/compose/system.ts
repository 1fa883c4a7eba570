import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock, Ids } from '@casefile/contracts';

/** The system clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** UUID v7 (RFC 9562): 48 bits of time, so that ids sort by creation, followed by random bits. */
export const systemIds: Ids = {
  id: () => {
    const time = Date.now().toString(16).padStart(12, '0');
    // The last part comes from a UUID v4, which Node creates in batches: its variant and 74 random bits.
    return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
  },
  token: (bytes) => randomBytes(bytes).toString('hex'),
};

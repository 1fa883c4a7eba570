import { randomBytes } from 'node:crypto';
import type { Clock, Ids } from '@casefile/contracts';

/** The machine's own clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** UUID v7 (RFC 9562): 48 bits of time, so that ids sort in the order they were made, then randomness. */
export const systemIds: Ids = {
  id: () => {
    const bytes = randomBytes(16);
    bytes.writeUIntBE(Date.now(), 0, 6);
    bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
    bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
    const hex = bytes.toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
  },
  token: (bytes) => randomBytes(bytes).toString('hex'),
};

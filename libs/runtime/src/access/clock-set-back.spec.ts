import { silentLogger, type StoredAccessKey } from '@casefile/contracts';
import { AttemptLimit } from './attempt-limit.js';
import { KeyAuthenticator } from './key-authenticator.js';
import { newKey } from './key-format.js';

const HOUR_MS = 3_600_000;
const ADDRESS = '192.0.2.1';

describe('T-20 after the clock was set back by an hour', () => {
  it('a revoked key is refused by the next request', async () => {
    let now = 10 * HOUR_MS;
    const { key, id, sha256 } = newKey();
    const stored: StoredAccessKey = {
      id,
      sha256,
      name: 'ann',
      role: 'viewer',
      scopes: [],
      limits: null,
      perMinute: 2,
      isValid: true,
      isNoted: true,
    };
    const keys = { find: async () => stored, noteUse: async () => undefined };
    const authenticator = new KeyAuthenticator({ keys, clock: { now: () => now }, log: silentLogger });
    await authenticator.callerOf(key, ADDRESS);
    await authenticator.callerOf(key, ADDRESS);
    await expect(authenticator.callerOf(key, ADDRESS)).rejects.toThrow('2 requests per minute');
    now -= HOUR_MS;
    // The minute in which requests are counted does not last for the hour.
    await authenticator.callerOf(key, ADDRESS);
    now -= HOUR_MS;
    stored.isValid = false;
    await expect(authenticator.callerOf(key, ADDRESS)).rejects.toThrow('revoked');
  });

  it('an address that had reached its limit may try again', async () => {
    let now = 10 * HOUR_MS;
    const limit = new AttemptLimit(1, { now: () => now });
    limit.note(ADDRESS);
    expect(limit.waitMs(ADDRESS)).toBe(60_000);
    now -= HOUR_MS;
    expect(limit.waitMs(ADDRESS)).toBe(0);
  });
});

import { asCasefileError } from '@casefile/contracts';
import { keyId, KeyAuthenticator, type Platform } from '@casefile/runtime';
import type { PersonalKeys } from './open-sign-in.js';

/** Returns the personal keys of the record: those with a role. */
export function personalKeys({ store, clock, log }: Pick<Platform, 'store' | 'clock' | 'log'>): PersonalKeys {
  const authenticator = new KeyAuthenticator({ keys: store.keys, clock, log });
  return {
    personOfKey: async (key) => {
      try {
        const caller = await authenticator.callerOf(key, undefined);
        const id = keyId(key);
        if (id === null || caller.role === null) return null;
        return { source: 'key', subject: id, name: caller.name, role: caller.role, groups: [] };
      } catch (thrown) {
        if (asCasefileError(thrown).reasonCode === 'unauthenticated') return null;
        throw thrown;
      }
    },
    roleOfKey: async (id) => {
      const key = await store.keys.find(id);
      return key?.isValid === true ? key.role : null;
    },
  };
}

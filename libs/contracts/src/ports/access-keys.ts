import type { AccessKey } from '../ops-api-access.js';
import type { Act } from '../act.js';

/** A new key as stored: only its digest. */
export interface NewAccessKey extends Pick<
  AccessKey,
  'id' | 'name' | 'role' | 'scopes' | 'limits' | 'perMinute' | 'expiresAt'
> {
  /** SHA-256 of the whole key, hexadecimal. */
  sha256: string;
}

/** A key for a comparison with one that a request presents. */
export interface StoredAccessKey extends Pick<
  AccessKey,
  'id' | 'name' | 'role' | 'scopes' | 'limits' | 'perMinute'
> {
  sha256: string;
  /** Whether it is neither revoked nor expired. */
  isValid: boolean;
  /** Whether its last use was noted less than a minute ago. */
  isNoted: boolean;
}

/** Keys of people and programs. Rows are never deleted. */
export interface AccessKeys {
  /** Returns whether a key was ever created. */
  any(): Promise<boolean>;
  /** Returns a key by its id, by one query; null: there is none. */
  find(id: string): Promise<StoredAccessKey | null>;
  /** Notes that a key is used now, at most once a minute. */
  noteUse(id: string): Promise<void>;
  /**
   * Returns the recorded cost of the runs that alerts of a sender have opened since a time (ISO), in US dollars.
   * Calls without a known price count nothing.
   */
  spentSince(name: string, since: string): Promise<number>;
  /** Returns all keys, newest first, without their digests. */
  list(): Promise<AccessKey[]>;
  /** @throws CasefileError `conflict`: a valid key has this name. */
  create(key: NewAccessKey, act: Act): Promise<AccessKey>;
  /**
   * Replaces a key by one with the same name and rights. The replaced key stays valid for a while.
   * @returns null: there is no such key. @throws CasefileError `conflict`: it is revoked or replaced.
   */
  rotate(
    id: string,
    fresh: Pick<NewAccessKey, 'id' | 'sha256' | 'expiresAt'>,
    overlapMinutes: number,
    act: Act,
  ): Promise<AccessKey | null>;
  /** Ends a key. @returns null: there is no such key. */
  revoke(id: string, act: Act): Promise<AccessKey | null>;
}

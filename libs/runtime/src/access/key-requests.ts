import {
  CasefileError,
  InvalidInput,
  type AccessKeys,
  type Act,
  type CreateKey,
  type CreatedKey,
} from '@casefile/contracts';
import { newKey } from './key-format.js';

/** Keys, and the time of a request. */
export interface KeyPorts {
  keys: Pick<AccessKeys, 'any' | 'create' | 'rotate'>;
  now(): number;
}

/**
 * Creates a key. The first one is of an administrator: from then on every act needs a key.
 * @returns the key with its secret, which is not stored.
 * @throws InvalidInput that names a wrong field; CasefileError `conflict`: a key has this name.
 */
export async function createKey(
  { keys, now }: KeyPorts,
  { name, role, scopes = [], limits, perMinute, expiresAt }: CreateKey,
  act: Act,
): Promise<CreatedKey> {
  checkExpiry(expiresAt ?? null, now());
  if (role !== 'admin' && !(await keys.any()))
    throw new InvalidInput(
      [{ path: 'role', message: 'expected admin for the first key: from then on every access needs a key' }],
      'key',
    );
  const { key, id, sha256 } = newKey();
  const rights = { role: role ?? null, scopes, limits: limits ?? null };
  const bounds = { perMinute: perMinute ?? null, expiresAt: expiresAt ?? null };
  const stored = await keys.create({ id, sha256, name, ...rights, ...bounds }, act);
  return { ...stored, key };
}

/**
 * Replaces a key by a new one with the same name and rights.
 * @throws CasefileError `not_found`, `conflict`; InvalidInput.
 */
export async function rotateKey(
  { keys, now }: KeyPorts,
  id: string,
  { expiresAt = null, overlapMinutes }: { expiresAt?: string | null | undefined; overlapMinutes: number },
  act: Act,
): Promise<CreatedKey> {
  checkExpiry(expiresAt, now());
  const fresh = newKey();
  const stored = await keys.rotate(
    id,
    { id: fresh.id, sha256: fresh.sha256, expiresAt },
    overlapMinutes,
    act,
  );
  if (stored === null) throw new CasefileError('not_found', `no key has the id ${id}`);
  return { ...stored, key: fresh.key };
}

function checkExpiry(expiresAt: string | null, now: number): void {
  if (expiresAt === null || Date.parse(expiresAt) > now) return;
  throw new InvalidInput([{ path: 'expiresAt', message: 'expected a time in the future' }], 'key');
}

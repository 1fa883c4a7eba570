import { createHash } from 'node:crypto';
import { canonicalJson, type ModelRequest } from '@casefile/contracts';

/** SHA-256 of the request as canonical JSON (keys sorted): the same question has the same hash. */
export function requestHash(request: ModelRequest): string {
  return createHash('sha256').update(canonicalJson(request)).digest('hex');
}

import { createHash } from 'node:crypto';
import { canonicalJson, type AlertInput, type JsonObject } from '@casefile/contracts';

/** Returns the SHA-256 (hexadecimal) of what an alert says: its playbook, text, image and payload. */
export function alertDigest({ playbook, text, image, payload }: Partial<AlertInput> | JsonObject): string {
  return createHash('sha256').update(canonicalJson({ playbook, text, image, payload })).digest('hex');
}

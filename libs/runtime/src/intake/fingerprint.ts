import { createHash, createHmac } from 'node:crypto';
import type { AlertInput } from '@casefile/contracts';

/**
 * The key by which repeats join one case: an HMAC-SHA-256 over what makes two alerts the same. Keyed, so
 * that it tells nothing of a text to who can read it.
 */
export function fingerprintOf(alert: AlertInput & { playbook: string }, key: string): string {
  const image = alert.image === undefined ? null : sha256(alert.image.base64);
  const same = [
    alert.playbook,
    alert.source ?? '',
    alert.text ?? '',
    image,
    alert.payload ?? null,
    alert.entities ?? null,
    alert.evidence ?? null,
    alert.collect ?? true,
  ];
  return hmac(same, key);
}

/**
 * The same for a kind whose playbook says by a key of its own which alerts are one case.
 * @param provenBy The webhook format whose signature the alert came with: what comes unsigned has other keys.
 */
export function fingerprintOfKey(playbook: string, own: string, key: string, provenBy?: string): string {
  return hmac([playbook, 'occurrence', own, ...(provenBy === undefined ? [] : [provenBy])], key);
}

function hmac(same: unknown[], key: string): string {
  return createHmac('sha256', key).update(JSON.stringify(same)).digest('hex');
}

/** The digest by which a reused idempotency key with another body is told. */
export function bodyDigest(body: unknown): string {
  return sha256(JSON.stringify(body) ?? '');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

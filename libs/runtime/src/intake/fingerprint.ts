import { createHash, createHmac } from 'node:crypto';
import type { AlertInput } from '@casefile/contracts';

/**
 * Returns the key by which repeats join one case: an HMAC-SHA-256 over the fields that make two alerts the
 * same. Without the HMAC key, a reader of a fingerprint cannot test guesses of the text.
 */
export function alertFingerprint(alert: AlertInput & { playbook: string }, key: string): string {
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
 * Returns the fingerprint of a kind whose playbook supplies the key that identifies a case.
 * @param provenBy Webhook format whose signature was verified. Unsigned alerts have other fingerprints.
 */
export function fingerprintOfKey(playbook: string, own: string, key: string, provenBy?: string): string {
  return hmac([playbook, 'occurrence', own, ...(provenBy === undefined ? [] : [provenBy])], key);
}

/**
 * Returns what is stored of a sender's idempotency key: an HMAC-SHA-256. Keys are often addresses or ids of messages,
 * and they outlive an erasure. The prefix keeps them apart from the keys that Casefile makes.
 */
export function senderKeyDigest(idempotencyKey: string, key: string): string {
  return `sender:${hmac(['idempotency key', idempotencyKey], key)}`;
}

function hmac(same: unknown[], key: string): string {
  return createHmac('sha256', key).update(JSON.stringify(same)).digest('hex');
}

/** Returns the digest that detects a reused idempotency key with another body. */
export function bodyDigest(body: unknown): string {
  return sha256(JSON.stringify(body) ?? '');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

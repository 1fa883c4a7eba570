import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { HmacProof, WebhookProof } from '../config/webhook-settings.js';
import { BadSignature, REPLAY_WINDOW_MS, type Post } from './format.js';

/** Limit for signatures in one header. Senders that change their secret send two for a while. */
const MOST_SIGNATURES = 10;

/**
 * Checks in constant time that a post comes from the sender of a webhook.
 * @param now in milliseconds since the epoch.
 * @throws BadSignature that states what was expected.
 */
export function verifyProof(
  { hmac, header }: WebhookProof,
  post: Pick<Post, 'raw' | 'headers'>,
  secret: string,
  now: number,
): void {
  if (hmac !== undefined) return verifyHmac(hmac, post, secret, now);
  if (header === undefined) throw new BadSignature('a proof, which the settings do not describe');
  const sent = post.headers[header.name];
  const token =
    typeof sent === 'string' && sent.startsWith(header.prefix) ? sent.slice(header.prefix.length) : '';
  if (timingSafeEqual(textDigest(token), textDigest(secret))) return;
  const isBasic = header.name === 'authorization' && /^basic /i.test(header.prefix);
  throw new BadSignature(
    `the header ${header.name} with ${quotedPrefix(header.prefix)}the secret of this webhook`,
    isBasic ? 'Basic realm="casefile"' : undefined,
  );
}

function verifyHmac(
  { header, prefix, algorithm, encoding, timestamp, content }: HmacProof,
  { raw, headers }: Pick<Post, 'raw' | 'headers'>,
  secret: string,
  now: number,
): void {
  const [time = ''] = timestamp === undefined ? [] : sentParts(headers[timestamp.header], timestamp.prefix);
  if (timestamp !== undefined && !/^\d{1,14}$/.test(time))
    throw new BadSignature(
      `the header ${timestamp.header} with ${quotedPrefix(timestamp.prefix)}the time of signing in seconds or milliseconds`,
    );
  const [before = '', after = ''] = content.replaceAll('{timestamp}', time).split('{body}');
  const expected = createHmac(algorithm, secret).update(before).update(raw).update(after).digest();
  const signatures = sentParts(headers[header], prefix).slice(0, MOST_SIGNATURES);
  const holds = signatures.map((text) => timingSafeEqual(expected, bytesOf(text, encoding, expected.length)));
  if (!holds.includes(true))
    throw new BadSignature(
      `the header ${header} with ${quotedPrefix(prefix)}the ${encoding} of the HMAC-${algorithm.toUpperCase()} of ${content} by the secret of this webhook`,
    );
  // Checked after the signature, so that the sender of an unsigned post cannot find out which times are
  // accepted.
  if (timestamp !== undefined && Math.abs(now - timeMilliseconds(time)) > REPLAY_WINDOW_MS)
    throw new BadSignature(`a post that was signed within the last ${REPLAY_WINDOW_MS / 60_000} minutes`);
}

/**
 * Returns the values of a header that begin with the prefix, without the prefix. `t=1,v1=abc` and `v1=abc,
 * v1=def` have several.
 */
function sentParts(sent: string | string[] | undefined, prefix: string): string[] {
  if (typeof sent !== 'string') return [];
  const parts = sent.split(/[,;]/).map((part) => part.trim());
  return parts.filter((part) => part.startsWith(prefix)).map((part) => part.slice(prefix.length));
}

const ENCODED = { hex: /^[0-9a-f]+$/i, base64: /^[A-Za-z0-9+/_-]+={0,2}$/ };

/** Returns the decoded bytes. For another length or format, returns zeros, which match no HMAC. */
function bytesOf(text: string, encoding: HmacProof['encoding'], length: number): Buffer {
  const bytes = ENCODED[encoding].test(text) ? Buffer.from(text, encoding) : Buffer.alloc(0);
  return bytes.length === length ? bytes : Buffer.alloc(length);
}

const textDigest = (text: string): Buffer => createHash('sha256').update(text).digest();
const quotedPrefix = (prefix: string): string => (prefix === '' ? '' : `"${prefix}" and `);
// Seconds have ten digits until the year 2286, milliseconds thirteen.
const timeMilliseconds = (time: string): number => (time.length > 11 ? Number(time) : Number(time) * 1000);

import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_LENGTH = 8;
/** Digits of base 62 that 32 bytes take. */
const SECRET_LENGTH = 43;
const SECRET_BYTES = 32;
/** Digits of base 62 that 32 bits take. */
const CHECKSUM_LENGTH = 6;
const KEY_LENGTH = 'cf_'.length + ID_LENGTH + 1 + SECRET_LENGTH + 1 + CHECKSUM_LENGTH;
const KEY = /^cf_([0-9A-Za-z]{8})_[0-9A-Za-z]{43}_([0-9A-Za-z]{6})$/;

/** Returns a new key `cf_<id>_<secret>_<checksum>` and what is stored of it. */
export function newKey(): { key: string; id: string; sha256: string } {
  const id = base62(randomBytes(SECRET_BYTES), SECRET_LENGTH).slice(-ID_LENGTH);
  const start = `cf_${id}_${base62(randomBytes(SECRET_BYTES), SECRET_LENGTH)}`;
  const key = `${start}_${checksum(start)}`;
  return { key, id, sha256: keyDigest(key) };
}

/** Returns the id of a key; null: the text is no key, or its checksum is wrong. Asks no database. */
export function keyId(text: string): string | null {
  if (text.length !== KEY_LENGTH) return null;
  const [, id, sum] = KEY.exec(text) ?? [];
  if (id === undefined || checksum(text.slice(0, -1 - CHECKSUM_LENGTH)) !== sum) return null;
  return id;
}

/** Returns the digest by which a key is stored. A key has 256 random bits, so it needs no slow hash. */
export function keyDigest(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return base62(bytes, CHECKSUM_LENGTH);
}

function base62(bytes: Buffer, length: number): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let digits = '';
  for (let i = 0; i < length; i += 1) {
    digits = ALPHABET.charAt(Number(rest % 62n)) + digits;
    rest /= 62n;
  }
  return digits;
}

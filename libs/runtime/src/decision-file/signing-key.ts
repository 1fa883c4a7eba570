import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { CasefileError } from '@casefile/contracts';

/** Error message for an invalid key. */
export const SIGNING_KEY_EXPECTED =
  'expected an Ed25519 private key in PEM, for example of `openssl genpkey -algorithm ed25519`';

/**
 * Reads a private key in PEM. Line breaks may be written as `\n`, because some environments hold one line only.
 * @throws CasefileError `invalid_input`, without the text, if it is no Ed25519 key.
 */
export function readSigningKey(pem: string): KeyObject {
  return ed25519Key(() => createPrivateKey(pem.replaceAll('\\n', '\n')), SIGNING_KEY_EXPECTED);
}

/** Returns whether `readSigningKey` accepts the text. */
export function isSigningKey(pem: string): boolean {
  try {
    return readSigningKey(pem).type === 'private';
  } catch {
    return false;
  }
}

/** Reads a public key in PEM or in base64 of its DER. @throws CasefileError `invalid_input`. */
export function readPublicKey(text: string): KeyObject {
  return ed25519Key(
    () =>
      text.includes('-----BEGIN')
        ? createPublicKey(text)
        : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' }),
    'expected an Ed25519 public key in PEM or base64, or a fingerprint "SHA256:..."',
  );
}

/** Returns the DER of the public key in base64. */
export function publicKeyText(key: KeyObject): string {
  const shared = key.type === 'private' ? createPublicKey(key) : key;
  return shared.export({ format: 'der', type: 'spki' }).toString('base64');
}

/** Returns `SHA256:` and the hash of a public key in base64 without padding, the form that ssh-keygen prints. */
export function keyFingerprint(publicKey: string): string {
  const hash = createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('base64');
  // The hash has 32 bytes, so that its base64 ends with one "=".
  return `SHA256:${hash.slice(0, -1)}`;
}

function ed25519Key(read: () => KeyObject, expected: string): KeyObject {
  let key: KeyObject | null = null;
  try {
    key = read();
  } catch {
    // The error of OpenSSL could quote the key.
  }
  if (key?.asymmetricKeyType !== 'ed25519') throw new CasefileError('invalid_input', expected);
  return key;
}

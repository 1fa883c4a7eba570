import { verify, type KeyObject } from 'node:crypto';
import { CasefileError, decisionFileSchema, type DecisionFile } from '@casefile/contracts';
import { decisionText, recordHash, signedBytes } from './decision-file.js';
import { keyFingerprint, publicKeyText, readPublicKey } from './signing-key.js';

/** A verified decision file. */
export interface VerifiedDecision {
  file: DecisionFile;
  /** Fingerprint of the key that signed it. */
  fingerprint: string;
  /** false: no expected key was stated, so that nothing says whose key it is. */
  isExpectedKey: boolean;
}

/** Characters of the file that an error quotes. */
const QUOTED = 40;

/**
 * Verifies a decision file without a database. Every byte counts: the file must be written exactly as Casefile
 * writes it.
 * @param expected Public key (PEM or base64) or its fingerprint; null: the key of the file is used.
 * @throws CasefileError `bad_signature` that names what was changed; `invalid_input` for an unreadable
 * `expected` key.
 */
export function verifyDecision(bytes: Uint8Array, expected: string | null): VerifiedDecision {
  const expectedFingerprint = expected === null ? null : wantedFingerprint(expected);
  try {
    return verifyText(textIn(bytes), expectedFingerprint);
  } catch (thrown) {
    if (thrown instanceof RangeError) throw changedError('it is nested more deeply than any record');
    throw thrown;
  }
}

function verifyText(text: string, expectedFingerprint: string | null): VerifiedDecision {
  const file = parsedFile(text);
  for (const { id, sha256, body } of file.records)
    if (recordHash(body) !== sha256) throw changedError(`the record "${id}" does not have its hash`);
  const { signature, ...unsigned } = file;
  const key = keyIn(signature.publicKey);
  if (!verify(null, signedBytes(unsigned), key, Buffer.from(signature.value, 'base64')))
    throw changedError(
      'the signature does not fit: a record was added, removed, moved or given a new hash, or the head of the file or the signature was changed',
    );
  checkForm(text, file);
  const fingerprint = keyFingerprint(signature.publicKey);
  if (expectedFingerprint !== null && expectedFingerprint !== fingerprint)
    throw changedError(`it is signed with another key, ${fingerprint}; expected ${expectedFingerprint}`);
  return { file, fingerprint, isExpectedKey: expectedFingerprint !== null };
}

function wantedFingerprint(expected: string): string {
  const text = expected.trim();
  return text.startsWith('SHA256:') ? text : keyFingerprint(publicKeyText(readPublicKey(text)));
}

function textIn(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw changedError('it is no valid UTF-8');
  }
}

function parsedFile(text: string): DecisionFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw changedError(`it is no JSON: ${(error as Error).message}`);
  }
  const read = decisionFileSchema.safeParse(value);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  throw changedError(`at ${first?.path.join('.') || 'the top'}: ${first?.message ?? 'unexpected'}`);
}

function keyIn(publicKey: string): KeyObject {
  try {
    return readPublicKey(publicKey);
  } catch {
    throw changedError('its public key is no Ed25519 key');
  }
}

/** Spaces, repeated keys and other forms of the same values are changes too. */
function checkForm(text: string, file: DecisionFile): void {
  const value = Buffer.from(file.signature.value, 'base64').toString('base64');
  const publicKey = Buffer.from(file.signature.publicKey, 'base64').toString('base64');
  const written = decisionText({ ...file, signature: { ...file.signature, value, publicKey } });
  if (text === written) return;
  let at = 0;
  while (text[at] === written[at]) at += 1;
  const excerpt = JSON.stringify(text.slice(at, at + QUOTED));
  throw changedError(`it is not written as Casefile writes it, from character ${at + 1}: ${excerpt}`);
}

function changedError(message: string): CasefileError {
  return new CasefileError('bad_signature', `this file was changed: ${message}`);
}

import { createHash } from 'node:crypto';
import { canonicalJson, type AuditEntry } from '@casefile/contracts';

/** The hash before the first entry. */
export const NO_HASH = '0'.repeat(64);

/** Returns the hash of an entry: SHA-256 of the canonical JSON of its other fields, hexadecimal. */
export function entryHash(entry: Omit<AuditEntry, 'hash'>): string {
  const { seq, at, actor, act, subject, caseId, runId, eventId, digest, previous } = entry;
  const hashed = { seq, at, actor, act, subject, caseId, runId, eventId, digest, previous };
  return createHash('sha256').update(canonicalJson(hashed)).digest('hex');
}

/** An entry as stored, and the digest of the event that it names; null: there is no such event. */
export type StoredEntry = AuditEntry & { found: string | null };

/**
 * Returns what is wrong with an entry of the log.
 * @param before number and hash of the entry that was read before it; of the first one, 0 and `NO_HASH`
 */
export function entryProblems(entry: StoredEntry, before: { seq: number; hash: string }): string[] {
  const { seq } = entry;
  const problems: string[] = [];
  if (seq === before.seq + 2) problems.push(`entry ${seq - 1} is missing`);
  else if (seq !== before.seq + 1) problems.push(`entries ${before.seq + 1} to ${seq - 1} are missing`);
  else if (entry.previous !== before.hash) problems.push(`entry ${seq} does not follow the one before it`);
  if (entryHash(entry) !== entry.hash) problems.push(`entry ${seq} was changed`);
  if (entry.found === null) problems.push(`the event of entry ${seq} is missing`);
  else if (entry.found !== entry.digest) problems.push(`the event of entry ${seq} was changed`);
  return problems;
}

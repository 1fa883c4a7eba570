import { createHash } from 'node:crypto';
import { canonicalJson, type AuditEntry } from '@casefile/contracts';

/** The hash before the first entry. */
export const NO_HASH = '0'.repeat(64);
/** The place before the first event. */
export const NO_PLACE = '0.0';

/** Returns the hash of an entry: SHA-256 of the canonical JSON of its other fields, hexadecimal. */
export function entryHash(entry: Omit<AuditEntry, 'hash'>): string {
  const { seq, at, actor, act, subject, caseId, runId, eventId, digest, previous, readTo } = entry;
  // Entries of earlier versions were hashed without the field.
  const place = readTo === null ? {} : { readTo };
  const hashed = { seq, at, actor, act, subject, caseId, runId, eventId, digest, previous, ...place };
  return createHash('sha256').update(canonicalJson(hashed)).digest('hex');
}

/** An entry as stored, and the digest of the event that it names; null: there is no such event. */
export type StoredEntry = AuditEntry & { storedDigest: string | null };

/** What a check keeps of the entry that it read last. */
export interface CheckedEntry {
  seq: number;
  hash: string;
  eventId: string;
  readTo: string | null;
}

/** Stands before the first entry. */
export const NO_ENTRY: CheckedEntry = { seq: 0, hash: NO_HASH, eventId: NO_PLACE, readTo: null };

/**
 * Returns what is wrong with an entry of the log.
 * @param before the entry that was read before it; of the first one, `NO_ENTRY`
 */
export function entryProblems(entry: StoredEntry, before: CheckedEntry): string[] {
  const { seq, eventId, readTo } = entry;
  const problems: string[] = [];
  if (seq === before.seq + 2) problems.push(`entry ${seq - 1} is missing`);
  else if (seq !== before.seq + 1) problems.push(`entries ${before.seq + 1} to ${seq - 1} are missing`);
  else if (entry.previous !== before.hash) problems.push(`entry ${seq} does not follow the one before it`);
  if (entryHash(entry) !== entry.hash) problems.push(`entry ${seq} was changed`);
  if (entry.storedDigest === null) problems.push(`the event of entry ${seq} is missing`);
  else if (entry.storedDigest !== entry.digest) problems.push(`the event of entry ${seq} was changed`);
  if (isAfter(before.eventId, eventId) || before.eventId === eventId)
    problems.push(`the event of entry ${seq} is not later than that of entry ${before.seq}`);
  if (readTo !== null && (isAfter(eventId, readTo) || isAfter(before.readTo ?? NO_PLACE, readTo)))
    problems.push(`entry ${seq} states a place that its writer cannot have read up to`);
  return problems;
}

/** Returns whether a place of the event log is after another one. Places are `xid.id`. */
export function isAfter(place: string, other: string): boolean {
  const [xid, id] = numbers(place);
  const [otherXid, otherId] = numbers(other);
  return xid === otherXid ? id > otherId : xid > otherXid;
}

function numbers(place: string): [xid: bigint, id: bigint] {
  const [xid = '', id = ''] = place.split('.');
  return [asNumber(xid), asNumber(id)];
}

const asNumber = (text: string): bigint => (/^\d{1,19}$/.test(text) ? BigInt(text) : 0n);

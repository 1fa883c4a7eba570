import { createHash } from 'node:crypto';

/** Number of buckets that the cases of an experiment are spread over. */
const BUCKETS = 10_000;

/**
 * Returns the bucket of a case in an experiment, an integer from 0 to 9,999: the first 8 bytes (big endian) of the
 * SHA-256 of `experimentId`, `salt` and `fingerprint`, separated by NUL, modulo 10,000. It depends on nothing else,
 * so that every process, also after a restart, puts a case into the same arm.
 * @param salt drawn once when the experiment is created, so that two experiments split the cases differently
 * @param fingerprint key by which repeats of an alert join one case
 */
export function assignBucket(experimentId: string, salt: string, fingerprint: string): number {
  const digest = createHash('sha256').update(`${experimentId}\0${salt}\0${fingerprint}`).digest();
  return Number(digest.readBigUInt64BE(0) % BigInt(BUCKETS));
}

/**
 * Returns whether a bucket belongs to the new arm of an experiment: the buckets below `share` x 10,000.
 * Raising the share only adds buckets, so no case leaves the new arm.
 * @param share from 0 to 1
 */
export const inShare = (bucket: number, share: number): boolean => bucket < Math.round(share * BUCKETS);

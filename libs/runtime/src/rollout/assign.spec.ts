import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { assignBucket, inShare } from './assign.js';

const EXPERIMENT = '01930000-0000-7000-8000-000000000036';
const SALT = 'a-salt-of-this-test';
// A fixed list: the assignment of each entry is the same in each run of this spec.
const FINGERPRINTS = Array.from(
  { length: 10_000 },
  (_, at) => `kind:${createHash('md5').update(`${at}`).digest('hex')}`,
);

const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('bucketOf', () => {
  it('is the first 8 bytes of the SHA-256 modulo 10,000 (S4-56)', () => {
    const hex = createHash('sha256').update(`${EXPERIMENT}\u0000${SALT}\u0000f1`).digest('hex').slice(0, 16);
    expect(assignBucket(EXPERIMENT, SALT, 'f1')).toBe(Number(BigInt(`0x${hex}`) % 10_000n));
    // Written out: a change of the formula, or of the process, must not move the cases of a running experiment.
    expect(['f1', 'f2', 'f3'].map((fingerprint) => assignBucket(EXPERIMENT, SALT, fingerprint))).toEqual([
      9429, 4639, 5452,
    ]);
  });

  it('puts 10.0 % +- 1.2 of 10,000 fingerprints into a share of 10 % (S4-56)', () => {
    const buckets = FINGERPRINTS.map((fingerprint) => assignBucket(EXPERIMENT, SALT, fingerprint));
    const percent = buckets.filter((bucket) => inShare(bucket, 0.1)).length / 100;
    expect(percent).toBeGreaterThanOrEqual(8.8);
    expect(percent).toBeLessThanOrEqual(11.2);
    const half = buckets.filter((bucket) => inShare(bucket, 0.5)).length / 100;
    expect(half).toBeGreaterThanOrEqual(48.5);
    expect(half).toBeLessThanOrEqual(51.5);
    expect(buckets.every((bucket) => inShare(bucket, 1) && !inShare(bucket, 0))).toBe(true);
  });

  it('moves no fingerprint out of the new arm when the share rises (S4-51)', () => {
    const inside = (rate: number) =>
      FINGERPRINTS.filter((fingerprint) => inShare(assignBucket(EXPERIMENT, SALT, fingerprint), rate));
    const half = new Set(inside(0.5));
    expect(inside(0.1).filter((fingerprint) => !half.has(fingerprint))).toEqual([]);
    fc.assert(
      fc.property(fc.string(), share, share, (fingerprint, a, b) => {
        const bucket = assignBucket(EXPERIMENT, SALT, fingerprint);
        const [low, high] = a < b ? [a, b] : [b, a];
        return !inShare(bucket, low) || inShare(bucket, high);
      }),
    );
  });

  it('splits the cases of two experiments, and of two salts, independently (S4-56)', () => {
    const both = FINGERPRINTS.filter(
      (fingerprint) =>
        inShare(assignBucket(EXPERIMENT, SALT, fingerprint), 0.5) &&
        inShare(assignBucket(EXPERIMENT, 'other', fingerprint), 0.5),
    );
    expect(both.length).toBeGreaterThan(2_350);
    expect(both.length).toBeLessThan(2_650);
  });
});

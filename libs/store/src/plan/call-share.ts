import type { CallShare, CallShareRequest } from '@casefile/contracts';

/** What may be saved up of a minute's requests or tokens: ten seconds' worth, so that no minute has much above its limit. */
export const SAVED_SHARE = 1 / 6;
const MINUTE_MS = 60_000;

/** What is left of a provider's limits. Times are milliseconds by the store's clock. */
export interface Bucket {
  refilledAt: number;
  /** null: full. */
  requests: number | null;
  tokens: number | null;
  holders: Map<string, { n: number; until: number }>;
}

export const fullBucket = (): Bucket => ({ refilledAt: 0, requests: null, tokens: null, holders: new Map() });

/** Takes a share of the bucket: the rules of the statement in `postgres/call-shares.ts`. */
export function takeShare(bucket: Bucket, request: CallShareRequest, now: number): CallShare {
  const { limits, holder, inUse, wants, leaseMs } = request;
  const elapsed = Math.max(0, now - bucket.refilledAt);
  const requests = refilled(bucket.requests, limits.requestsPerMinute, elapsed);
  const tokens = refilled(bucket.tokens, limits.tokensPerMinute, elapsed);
  for (const [name, held] of bucket.holders) if (held.until <= now) bucket.holders.delete(name);
  bucket.holders.delete(holder);
  const others = [...bucket.holders.values()].reduce((sum, held) => sum + held.n, 0);
  let granted = 0;
  let used = 0;
  for (const need of wants) {
    const slots = limits.concurrency === null || others + inUse + granted + 1 <= limits.concurrency;
    const least = limits.tokensPerMinute === null ? 0 : Math.min(need, savedUp(limits.tokensPerMinute));
    if (!slots || granted + 1 > requests || used + least > tokens) break;
    granted += 1;
    used += need;
  }
  bucket.refilledAt = Math.max(now, bucket.refilledAt);
  bucket.requests = limits.requestsPerMinute === null ? null : requests - granted;
  bucket.tokens = limits.tokensPerMinute === null ? null : tokens - used;
  if (inUse + granted > 0) bucket.holders.set(holder, { n: inUse + granted, until: now + leaseMs });
  const next = wants[granted];
  return { granted, waitMs: next === undefined ? null : waitOf(bucket, limits, next) };
}

/** How much is saved up at the most: at least one request, or one token. */
export function savedUp(perMinute: number): number {
  return Math.max(1, perMinute * SAVED_SHARE);
}

function refilled(level: number | null, perMinute: number | null, elapsed: number): number {
  if (perMinute === null) return Infinity;
  const most = savedUp(perMinute);
  return level === null ? most : Math.min(most, level + (elapsed * perMinute) / MINUTE_MS);
}

function waitOf(bucket: Bucket, limits: CallShareRequest['limits'], need: number): number | null {
  const { requestsPerMinute, tokensPerMinute } = limits;
  const forRequest = requestsPerMinute === null ? 0 : wait(1 - (bucket.requests ?? 0), requestsPerMinute);
  const least = tokensPerMinute === null ? 0 : Math.min(need, savedUp(tokensPerMinute));
  const forTokens = tokensPerMinute === null ? 0 : wait(least - (bucket.tokens ?? 0), tokensPerMinute);
  const longest = Math.max(forRequest, forTokens);
  return longest > 0 ? longest : null;
}

function wait(lacking: number, perMinute: number): number {
  return Math.max(0, Math.ceil((lacking * MINUTE_MS) / perMinute));
}

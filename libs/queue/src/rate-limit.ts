import type { RateLimiterOptions } from 'bullmq';
import { LIVE_SHARE } from './queue-options.js';
import type { LaneGroup } from './queue-names.js';

/**
 * BullMQ's limiter for one of a topic's two queues. It counts over all workers of a queue, wherever they
 * run, but each queue by itself: so the rate is divided between them. Small windows keep calls apart
 * instead of letting a second's worth go at once.
 * @param perSecond for the topic as a whole; may be far below 1.
 */
export function limiterFor(perSecond: number, group: LaneGroup, isAlone: boolean): RateLimiterOptions {
  const share = isAlone ? 1 : group === 'live' ? LIVE_SHARE : 1 - LIVE_SHARE;
  const rate = perSecond * share;
  const max = Math.max(1, Math.floor(rate / 10));
  return { max, duration: Math.ceil((max * 1_000) / rate) };
}

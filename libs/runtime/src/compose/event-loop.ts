import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Logger, Telemetry } from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import type { UnderWay } from '../executor/under-way.js';

const LOOK_EVERY_MS = 1_000;
/** How long a block must be to be logged: leases are renewed every few seconds, probes wait two. */
const TOLD_FROM_MS = 1_000;
/** How exactly delays are measured: a timer of so many milliseconds, whose own length is no delay. */
const RESOLUTION_MS = 10;

export interface EventLoopPorts {
  log: Logger;
  telemetry: Telemetry;
  underWay: UnderWay;
}

/** What is used of Node's own measure; nanoseconds. */
export interface Delays {
  readonly max: number;
  reset(): void;
}

/**
 * Looks once: the longest delay since the last look goes to the metric, in seconds, and to the log when it is a block that
 * others feel, with the stages that were under way.
 * @param lateMs How late the look itself is, in milliseconds.
 */
export function lookAtEventLoop(ports: EventLoopPorts, delays: Delays, lateMs: number): void {
  const ms = Math.max(delays.max / 1e6 - RESOLUTION_MS, lateMs, 0);
  delays.reset();
  const stages = ports.underWay.take();
  ports.telemetry.measure(METRICS.eventLoopLag, ms / 1000);
  if (ms > TOLD_FROM_MS) ports.log.warn({ ms: Math.round(ms), stages }, 'event loop blocked');
}

/** Measures the event loop of this process until the returned function is called. */
export function watchEventLoop(ports: EventLoopPorts): () => void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let due = performance.now() + LOOK_EVERY_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    lookAtEventLoop(ports, delays, now - due);
    due = now + LOOK_EVERY_MS;
  }, LOOK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    delays.disable();
  };
}

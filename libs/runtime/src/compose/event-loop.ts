import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Logger, Telemetry } from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import type { UnderWay } from '@casefile/engine';

/** Interval for reading the lag that makes bulk work wait, in milliseconds. */
const LOOK_EVERY_MS = 20;
/** Interval for the metric, in milliseconds. It reports the longest lag within the interval. */
const TELL_EVERY_MS = 1_000;
/**
 * Shortest delay that is logged, in milliseconds. Shorter ones do no harm: leases are renewed every few
 * seconds, and probes wait two.
 */
const TOLD_FROM_MS = 1_000;
/** Resolution of the measurement: the interval of a timer, which does not count as delay. */
const RESOLUTION_MS = 10;

export interface EventLoopPorts {
  log: Logger;
  telemetry: Telemetry;
  underWay: UnderWay;
  /** Called with each reading, in milliseconds. Default: no work yields. */
  sawLag?: (ms: number) => void;
}

/** The part of Node's delay histogram that is used; nanoseconds. */
export interface Delays {
  readonly max: number;
  reset(): void;
}

/** Reads the delay of the event loop. The metric, the log and the gate of bulk work share this reading. */
export class EventLoopLag {
  private longest = 0;

  constructor(
    private readonly ports: EventLoopPorts,
    private readonly delays: Delays,
  ) {}

  /**
   * Reads the longest delay since the last reading.
   * @param lateMs Delay of this reading itself, in milliseconds.
   */
  look(lateMs: number): void {
    const ms = Math.max(this.delays.max / 1e6 - RESOLUTION_MS, lateMs, 0);
    this.delays.reset();
    this.longest = Math.max(this.longest, ms);
    this.ports.sawLag?.(ms);
  }

  /**
   * Reports the longest delay since the last report to the metric, in seconds. A block that affects other
   * work is also logged, with the stages that were under way.
   */
  report(): void {
    const { log, telemetry, underWay } = this.ports;
    const ms = this.longest;
    this.longest = 0;
    const stages = underWay.take();
    telemetry.measure(METRICS.eventLoopLag, ms / 1000);
    if (ms > TOLD_FROM_MS) log.warn({ ms: Math.round(ms), stages }, 'event loop blocked');
  }
}

/** Measures the event loop of this process until the returned function is called. */
export function watchEventLoop(ports: EventLoopPorts): () => void {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const lag = new EventLoopLag(ports, delays);
  delays.enable();
  let lastLook = performance.now();
  let lastReport = lastLook;
  const timer = setInterval(() => {
    const now = performance.now();
    lag.look(now - lastLook - LOOK_EVERY_MS);
    lastLook = now;
    if (now - lastReport < TELL_EVERY_MS) return;
    lag.report();
    lastReport = now;
  }, LOOK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    delays.disable();
  };
}

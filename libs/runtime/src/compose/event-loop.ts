import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Logger, Telemetry } from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';
import type { UnderWay } from '../executor/hosted-stages.js';

/** How often the lag is read: bulk work yields to it. */
const LOOK_EVERY_MS = 20;
/** The metric has the longest of so many milliseconds. */
const TELL_EVERY_MS = 1_000;
/** How long a block must be to be logged: leases are renewed every few seconds, probes wait two. */
const TOLD_FROM_MS = 1_000;
/** How exactly delays are measured: a timer of so many milliseconds, whose own length is no delay. */
const RESOLUTION_MS = 10;

export interface EventLoopPorts {
  log: Logger;
  telemetry: Telemetry;
  underWay: UnderWay;
  /** Is told of each reading, in milliseconds; left out: nobody yields. */
  sawLag?: (ms: number) => void;
}

/** What is used of Node's own measure; nanoseconds. */
export interface Delays {
  readonly max: number;
  reset(): void;
}

/** Reads how late the event loop was: the one reading that the metric, the log and the gate of bulk work have. */
export class EventLoopLag {
  private longest = 0;

  constructor(
    private readonly ports: EventLoopPorts,
    private readonly delays: Delays,
  ) {}

  /**
   * Looks once: the longest delay since the last look.
   * @param lateMs How late the look itself is, in milliseconds.
   */
  look(lateMs: number): void {
    const ms = Math.max(this.delays.max / 1e6 - RESOLUTION_MS, lateMs, 0);
    this.delays.reset();
    this.longest = Math.max(this.longest, ms);
    this.ports.sawLag?.(ms);
  }

  /**
   * The longest delay since this was last called goes to the metric, in seconds, and to the log when it is a block that
   * others feel, with the stages that were under way.
   */
  tell(): void {
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
  let looked = performance.now();
  let told = looked;
  const timer = setInterval(() => {
    const now = performance.now();
    lag.look(now - looked - LOOK_EVERY_MS);
    looked = now;
    if (now - told < TELL_EVERY_MS) return;
    lag.tell();
    told = now;
  }, LOOK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    delays.disable();
  };
}

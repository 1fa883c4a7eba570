import type { Connections, ModelProbes } from '@casefile/runtime';

/** Initial knowledge of a new installation. */
export type Seed = Parameters<Connections['adapters']['knowledge']['seed']>[0];

/** A running Casefile, in this process or in several. */
export interface System {
  consoleUrl: string;
  ingestUrl: string;
  /** Results of probing the configured models. */
  probes: Pick<ModelProbes, 'all'>;
  /** Imports knowledge for look-ups. */
  seed(seed: Seed): Promise<void>;
  /** Time for an ordered stop, in milliseconds. */
  stopWithinMs: number;
  /** Ordered stop; safe to call twice. */
  stop(): Promise<void>;
}

/** Performance mark that the start script sets after installing and building. */
const MARK = 'casefile-up';

/** Returns the seconds since the start was requested, without the time for installing and building. */
export function secondsUp(): number {
  const startedAt = performance.getEntriesByName(MARK)[0]?.startTime ?? 0;
  return (performance.now() - startedAt) / 1000;
}

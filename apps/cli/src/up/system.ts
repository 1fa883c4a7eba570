import type { Connected, ModelProbes } from '@casefile/runtime';

/** What a new installation begins with. */
export type Seed = Parameters<Connected['adapters']['knowledge']['seed']>[0];

/** A running Casefile, in this process or in several. */
export interface System {
  consoleUrl: string;
  ingestUrl: string;
  /** Do the configured models answer? */
  probes: Pick<ModelProbes, 'all'>;
  /** Imports what look-ups are made in. */
  seed(seed: Seed): Promise<void>;
  /** Ordered stop; safe to call twice. */
  stop(): Promise<void>;
}

/** The mark that the start script sets when installing and building are done. */
const MARK = 'casefile-up';

/** Seconds since this was asked to start: without what was installed and built before. */
export function secondsUp(): number {
  const startedAt = performance.getEntriesByName(MARK)[0]?.startTime ?? 0;
  return (performance.now() - startedAt) / 1000;
}

import { elapsedMs } from '@casefile/contracts';
import type { CaseStore, Clock, ProviderState, Queue, QueueDepth, Telemetry } from '@casefile/contracts';
import { METRICS } from '@casefile/telemetry';

const CIRCUIT: Record<ProviderState['state'], number> = { closed: 0, 'half-open': 1, open: 2 };

/**
 * Reports metrics of the record that all services share: unfinished runs, and the circuits of providers in
 * use.
 */
export function measureStore(
  { runs, providers, replica }: Pick<CaseStore, 'runs' | 'providers' | 'replica'>,
  telemetry: Pick<Telemetry, 'gauge'>,
): void {
  telemetry.gauge(METRICS.runsUnfinished, () => runs.backlog());
  if (replica !== undefined)
    telemetry.gauge(METRICS.replicaLag, async () => {
      const { lagMs } = await replica.state();
      return lagMs === null ? [] : [{ value: lagMs / 1_000, labels: {} }];
    });
  telemetry.gauge(METRICS.providerCircuit, async () => {
    const states = await providers.states();
    return states.map(({ provider, state }) => ({ value: CIRCUIT[state], labels: { provider } }));
  });
}

/** One query of the queue store serves all gauges of a scrape. Milliseconds. */
const FRESH_MS = 1_000;

/** Reports, at each scrape, the depth by queue and state, and the age of the oldest waiting job. */
export function measureQueues(
  queue: Queue,
  names: string[],
  telemetry: Pick<Telemetry, 'gauge'>,
  clock: Clock,
): void {
  let looked: { at: number; depths: Promise<QueueDepth[]> } | null = null;
  const depths = () => {
    if (looked === null || elapsedMs(clock.now(), looked.at) > FRESH_MS)
      looked = { at: clock.now(), depths: queue.depths() };
    return looked.depths;
  };
  const of = async (name: string) => (await depths()).find((depth) => depth.queue === name);
  for (const name of names) {
    for (const state of ['waiting', 'active', 'delayed', 'failed'] as const) {
      telemetry.gauge(METRICS.queueJobs, async () => (await of(name))?.[state] ?? 0, { queue: name, state });
    }
    telemetry.gauge(METRICS.queueOldest, async () => ((await of(name))?.oldestMs ?? 0) / 1000, {
      queue: name,
    });
  }
}

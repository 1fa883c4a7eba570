import type { CaseStore, StormMember } from '@casefile/contracts';
import type { ConfiguredDestination } from '../config/destination-settings.js';

export interface RoutingPorts {
  store: { destinations: Pick<CaseStore['destinations'], 'added' | 'labels'> };
  /** Destinations of the settings. */
  destinations: readonly Pick<ConfiguredDestination, 'when'>[];
}

/**
 * Returns the runs of the members whose labels differ from those of the judged alert in a label by which destinations
 * select alerts. Another team may be on call for them.
 */
export async function routedElsewhere(
  { store, destinations }: RoutingPorts,
  verdictRunId: string,
  members: readonly StormMember[],
): Promise<ReadonlySet<string>> {
  const added = (await store.destinations.added()).map(({ entry }) => entry);
  const names = new Set([...destinations, ...added].flatMap(({ when }) => Object.keys(when?.labels ?? {})));
  const elsewhere = new Set<string>();
  if (names.size === 0) return elsewhere;
  const judged = await store.destinations.labels(verdictRunId);
  for (const { runId } of members) {
    const own = await store.destinations.labels(runId);
    if ([...names].some((name) => own[name] !== judged[name])) elsewhere.add(runId);
  }
  return elsewhere;
}

import type { CaseStore } from '@casefile/contracts';
import { configuredFirst, type Config } from '@casefile/runtime';

export interface PagerPorts {
  store: { destinations: Pick<CaseStore['destinations'], 'added'> };
  /** Destinations of the configuration. */
  destinations: readonly Pick<Config['destinations'][number], 'name' | 'type'>[];
}

/** Returns the names of the destinations in force that are pagers. */
export async function pagerNames({ store, destinations }: PagerPorts): Promise<string[]> {
  const added = (await store.destinations.added()).map(({ name, entry: { type } }) => ({ name, type }));
  return configuredFirst(destinations, added)
    .filter(({ type }) => type === 'pagerduty')
    .map(({ name }) => name);
}

import type { DestinationWhen } from '@casefile/contracts';
import type { ConsolePorts } from './console-ports.js';

/** Returns the destinations of the configuration and those added by API. If two have a name, the configuration applies. */
export async function destinationsInForce({
  store,
  destinations,
}: Pick<ConsolePorts, 'store' | 'destinations'>): Promise<{ name: string; when: DestinationWhen }[]> {
  const added = (await store.destinations.added()).filter(
    ({ name }) => !destinations.some((configured) => configured.name === name),
  );
  return [
    ...destinations.map(({ name, when }) => ({ name, when })),
    ...added.map(({ name, entry: { when } }) => ({ name, when })),
  ];
}

import { readFileSync } from 'node:fs';
import { z, type Meta } from '@casefile/contracts';
import type { Platform } from '@casefile/runtime';

/** The provider whose answers are scripted. */
const SIMULATOR = 'simulator';

const CAPABILITIES = [
  'search',
  'filters',
  'events',
  'websocket',
  'pipeline',
  'dead-letters',
  'alerts',
  'alert-images',
  'playbooks',
  'policies',
];

/** What is running here, as of its start. */
export function metaOf({ config, clock }: Pick<Platform, 'config' | 'clock'>): Meta {
  const entry = config.provider?.entry;
  return {
    version: version(),
    provider: entry?.name ?? 'none',
    model: entry?.model ?? null,
    isSimulator: entry?.name === SIMULATOR,
    ...(config.demonstration === undefined ? {} : { demonstration: true }),
    startedAt: new Date(clock.now()).toISOString(),
    capabilities: CAPABILITIES,
  };
}

// One level up from src and from dist alike.
function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

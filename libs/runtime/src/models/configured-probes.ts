import type { Clock, Logger } from '@casefile/contracts';
import { probeModel, type ModelProbe, type ResolvedProvider } from '@casefile/llm';
import type { Config } from '../config/read-config.js';

/** What came of asking the configured models at start; those that are still being asked are missing. */
export interface ModelProbes {
  found(): readonly ModelProbe[];
  /** Every one, when all are in. Never rejects. */
  all: Promise<readonly ModelProbe[]>;
}

export const NO_PROBES: ModelProbes = { found: () => [], all: Promise.resolve([]) };

type Probed = Pick<Config, 'provider' | 'playbookProviders' | 'settings'>;

/** Asks each configured model once whether it answers, beside everything else: nothing waits for it. */
export function probeConfigured(config: Probed, clock: Clock, log: Logger): ModelProbes {
  if (!config.settings.calls.probeAtStart) return NO_PROBES;
  const found: ModelProbe[] = [];
  const asked = modelsIn(config).map(async (provider) => {
    const probe = await probeModel(provider, { clock });
    found.push(probe);
    const { answers, ...facts } = probe;
    if (answers) log.info(facts, 'the model answers');
    else log.warn(facts, 'the model does not answer');
  });
  return { found: () => [...found], all: Promise.all(asked).then(() => [...found]) };
}

/** One for each provider and model, however many playbooks have it. */
function modelsIn({ provider, playbookProviders }: Probed): ResolvedProvider[] {
  const all = [provider, ...Object.values(playbookProviders)].filter((one) => one !== null);
  return [...new Map(all.map((one) => [`${one.entry.name}/${one.entry.model}`, one])).values()];
}

import type { Clock, Logger } from '@casefile/contracts';
import {
  probeModel,
  probeParams,
  type ModelProbe,
  type RefusalMemory,
  type ResolvedProvider,
} from '@casefile/llm';
import type { Config } from '../config/read-config.js';

/** Results of probing the configured models at start. Unfinished probes are missing. */
export interface ModelProbes {
  found(): readonly ModelProbe[];
  /** All results, once every probe has finished. Never rejects. */
  all: Promise<readonly ModelProbe[]>;
}

export const NO_PROBES: ModelProbes = { found: () => [], all: Promise.resolve([]) };

type ProbedConfig = Pick<Config, 'provider' | 'playbookProviders' | 'settings'>;

/**
 * Asks each configured model once whether it answers. The start of the process does not wait for the answers.
 * @param refusals Refused parameters of this process's models. If set, self-hosted servers are also asked
 * which parameters they refuse.
 */
export function probeConfigured(
  config: ProbedConfig,
  clock: Clock,
  log: Logger,
  refusals?: RefusalMemory,
): ModelProbes {
  if (!config.settings.calls.probeAtStart) return NO_PROBES;
  const results: ModelProbe[] = [];
  const pendingProbes = modelsIn(config).map(async (provider) => {
    const probe = await probeModel(provider, { clock });
    results.push(probe);
    const { answers, ...facts } = probe;
    if (answers) log.info(facts, 'the model answers');
    else log.warn(facts, 'the model does not answer');
    if (answers && refusals !== undefined) void tellRefused(provider, clock, log, refusals);
  });
  return { found: () => [...results], all: Promise.all(pendingProbes).then(() => [...results]) };
}

/**
 * Logs at start the parameters that a server refuses, because its models are called without them. Never
 * rejects.
 */
async function tellRefused(
  provider: ResolvedProvider,
  clock: Clock,
  log: Logger,
  refusals: RefusalMemory,
): Promise<void> {
  const refused = await probeParams(provider, { clock, refusals });
  const { name, model } = provider.entry;
  if (refused.length > 0)
    log.warn(
      { provider: name, model, refused },
      'the server refuses parameters: the model is asked without them',
    );
}

/** Returns one entry per provider and model, even if several playbooks use it. */
function modelsIn({ provider, playbookProviders }: ProbedConfig): ResolvedProvider[] {
  const all = [provider, ...Object.values(playbookProviders)].filter((one) => one !== null);
  return [...new Map(all.map((one) => [`${one.entry.name}/${one.entry.model}`, one])).values()];
}

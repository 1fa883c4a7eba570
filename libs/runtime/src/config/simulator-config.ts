import { DEMONSTRATION } from '@casefile/contracts';
import {
  baseUrlVariableOf,
  demonstrationProvider,
  readProviderTable,
  type ResolvedProvider,
} from '@casefile/llm';
import { kindPrompts } from '@casefile/pipeline';
import { readPrompts } from './installed-prompts.js';
import type { Config, Demonstration } from './read-config.js';

const SIMULATOR = 'simulator';

/**
 * Returns a configuration in which the alerts with these digests get hand-written answers from `baseUrl`. All
 * other alerts are judged by rules, whatever keys are set.
 */
export function withDemonstration(
  config: Config,
  { baseUrl, alerts }: { baseUrl: string; alerts: Demonstration['alerts'] },
): Config {
  const provider = demonstrationProvider(baseUrl);
  return {
    ...config,
    provider: null,
    fallbackProviders: [],
    examinerFor: () => null,
    playbookProviders: {},
    // Uses the shipped prompts, because the answers were written for them.
    prompts: readPrompts(kindPrompts(config.playbooks)),
    providerNamed: (name, model) => (name === DEMONSTRATION ? provider : config.providerNamed(name, model)),
    demonstration: { provider, alerts },
  };
}

/**
 * Returns whether the shipped simulator is a provider and has no configured URL, so that the launcher must
 * start it.
 */
export function wantsSimulator({ provider, playbookProviders, env }: Config): boolean {
  const shipped = readProviderTable().get(SIMULATOR)?.baseUrl;
  const all = [provider, ...Object.values(playbookProviders)];
  const usesSimulator = all.some((one) => one?.entry.name === SIMULATOR && one.entry.baseUrl === shipped);
  return usesSimulator && env.LLM_BASE_URL === undefined;
}

/** Returns the configuration with this URL for the provider `simulator`. */
export function withSimulatorAt(config: Config, baseUrl: string): Config {
  const moved = <P extends ResolvedProvider | null>(one: P): P =>
    one?.entry.name === SIMULATOR ? { ...one, entry: { ...one.entry, baseUrl } } : one;
  const ofPlaybooks = Object.entries(config.playbookProviders).map(([name, one]) => [name, moved(one)]);
  return {
    ...config,
    provider: moved(config.provider),
    fallbackProviders: config.fallbackProviders.map(moved),
    playbookProviders: Object.fromEntries(ofPlaybooks) as Config['playbookProviders'],
    providerNamed: (name, model) => moved(config.providerNamed(name, model)),
  };
}

/** Returns variables that pass the simulator's URL to child processes. */
export function simulatorVariables({ providerNamed }: Config): Record<string, string> {
  const simulator = providerNamed(SIMULATOR);
  return simulator === null ? {} : { [baseUrlVariableOf(simulator.entry)]: simulator.entry.baseUrl };
}

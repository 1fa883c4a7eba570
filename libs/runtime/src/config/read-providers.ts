import { asCasefileError } from '@casefile/contracts';
import {
  firstProviderWithKey,
  readProviderTable,
  resolveProvider,
  type ProviderEntry,
  type ResolvedProvider,
} from '@casefile/llm';
import { checkPrices } from '../models/model-pool.js';
import { counts } from '../models/budget-plan.js';
import type { Environment, SettingsFile } from './settings-schema.js';

export interface ConfiguredProviders {
  provider: ResolvedProvider | null;
  fallbackProviders: ResolvedProvider[];
  providerNamed(name: string, model?: string): ResolvedProvider | null;
}

/**
 * The provider that is asked, and those that are turned to when it is out.
 * @throws CasefileError `unknown_provider`, `missing_key`; `bad_configuration` when a budget counts money and the
 * price of a model that would be asked is not known.
 */
export function readProviders(
  source: Record<string, string | undefined>,
  env: Environment,
  settings: SettingsFile,
): ConfiguredProviders {
  const { fallback, ...overrides } = settings.providers;
  const table = readProviderTable(overrides);
  const name = env.LLM_PROVIDER ?? firstProviderWithKey(table, source);
  const first = { table, env: source, model: env.LLM_MODEL, baseUrl: env.LLM_BASE_URL };
  const provider = name === 'none' ? null : resolveProvider({ ...first, name });
  // LLM_MODEL and LLM_BASE_URL speak of the first provider alone.
  const { LLM_MODEL: _model, LLM_BASE_URL: _url, ...others } = source;
  const other = (wanted: string, model?: string) =>
    resolveProvider({ table, env: others, name: wanted, model });
  const wanted = [...new Set(env.LLM_FALLBACK ?? fallback)].filter((one) => one !== name);
  const fallbackProviders = provider === null ? [] : wanted.map((one) => other(one));
  const named = (one: string, model?: string) =>
    provider !== null && one === name ? withModel(provider, model) : other(one, model);
  checkAllPrices(provider, fallbackProviders, settings);
  return { provider, fallbackProviders, providerNamed: (one, model) => orNull(() => named(one, model)) };
}

function checkAllPrices(
  provider: ResolvedProvider | null,
  fallbacks: ResolvedProvider[],
  { budgets }: SettingsFile,
): void {
  if (provider === null || !counts(budgets, 'usd')) return;
  const { cheaperModel } = budgets;
  const cheaper = cheaperModel === undefined ? [] : [withModel(provider, cheaperModel)];
  const entries: ProviderEntry[] = [provider, ...fallbacks, ...cheaper].map(({ entry }) => entry);
  checkPrices(entries);
}

function withModel(provider: ResolvedProvider, model?: string): ResolvedProvider {
  return model === undefined ? provider : { ...provider, entry: { ...provider.entry, model } };
}

// A run that is older than the configuration may name a provider that is gone: it goes without.
function orNull(resolve: () => ResolvedProvider): ResolvedProvider | null {
  try {
    return resolve();
  } catch (thrown) {
    const { reasonCode } = asCasefileError(thrown);
    if (reasonCode === 'unknown_provider' || reasonCode === 'missing_key') return null;
    throw thrown;
  }
}

import { asCasefileError, CasefileError, type FieldProblem } from '@casefile/contracts';
import {
  firstProviderWithKey,
  isPriced,
  providersWithKey,
  readProviderTable,
  resolveProvider,
  type ProviderEntry,
  type ProviderTable,
  type ResolvedProvider,
} from '@casefile/llm';
import { checkPrices } from '../compose/model-pool.js';
import { counts } from '@casefile/engine';
import type { Environment } from './environment-schema.js';
import type { SettingsFile } from './settings-schema.js';

export interface ConfiguredProviders {
  provider: ResolvedProvider | null;
  fallbackProviders: ResolvedProvider[];
  /** Providers of playbooks with their own provider or model; null: the playbook uses no model. */
  playbookProviders: Record<string, ResolvedProvider | null>;
  /**
   * Returns the provider that cross-examines a kind whose models are of the provider `own`. Default: a fallback provider,
   * else the first other provider whose key is set. null: the kind's own models.
   */
  examinerFor(playbook: string, own: string): ResolvedProvider | null;
  /** Names of the provider table, in its order. */
  providerNames: readonly string[];
  providerNamed(name: string, model?: string): ResolvedProvider | null;
}

/**
 * Returns the provider of a name, with this model or the provider's own. @throws CasefileError
 * `unknown_provider`, `missing_key`.
 */
type Resolve = (name: string, model?: string) => ResolvedProvider;

/**
 * Returns the main provider, its fallbacks, and the providers of playbooks that have their own.
 * @throws CasefileError `unknown_provider`, `missing_key`; `bad_configuration` if a playbook names a provider
 * that cannot be used, or a budget counts money and the price of a used model is not known.
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
  // LLM_MODEL and LLM_BASE_URL apply only to the first provider.
  const { LLM_MODEL: _model, LLM_BASE_URL: _url, ...others } = source;
  const other: Resolve = (providerName, model) =>
    resolveProvider({ table, env: others, name: providerName, model });
  const fallbackNames = [...new Set(env.LLM_FALLBACK ?? fallback)].filter((one) => one !== name);
  const fallbackProviders = provider === null ? [] : fallbackNames.map((one) => other(one));
  const resolve: Resolve = (one, model) =>
    provider !== null && one === name ? withModel(provider, model) : other(one, model);
  const playbookProviders = readPlaybookProviders(settings, { provider, resolve, table });
  const all = { provider, fallbackProviders, playbookProviders };
  checkAllPrices(all, resolve, settings);
  const named = namedExaminers(settings, resolve, table);
  const withKey = providersWithKey(table, source).map((one) => one.name);
  const possible = [...fallbackProviders.map(({ entry }) => entry.name), ...withKey];
  const isUsable = ({ entry }: ResolvedProvider) => !counts(settings.budgets, 'usd') || isPriced(entry);
  return {
    ...all,
    examinerFor: (playbook, own) => {
      if (Object.hasOwn(named, playbook)) return named[playbook]!;
      const key = table.get(own)?.keyVariable ?? null;
      // Cases of a provider without a key, such as a local one, do not leave for another provider by default.
      if (key === null) return null;
      const candidates = possible.filter((one) => ![key, null].includes(table.get(one)?.keyVariable ?? null));
      return candidates.map((one) => resolve(one)).find(isUsable) ?? null;
    },
    providerNames: [...table.keys()],
    providerNamed: (one, model) => orNull(() => resolve(one, model)),
  };
}

function readPlaybookProviders(
  { playbooks }: SettingsFile,
  at: { provider: ResolvedProvider | null; resolve: Resolve; table: ProviderTable },
): Record<string, ResolvedProvider | null> {
  const own: Record<string, ResolvedProvider | null> = {};
  const problems: FieldProblem[] = [];
  for (const [name, { provider, models }] of Object.entries(playbooks)) {
    if (provider === undefined && models.high === undefined) continue;
    try {
      if (provider === undefined) own[name] = at.provider && withModel(at.provider, models.high);
      else own[name] = provider === 'none' ? null : at.resolve(provider, models.high);
    } catch (thrown) {
      const message = whyUnusable(asCasefileError(thrown), at.table);
      problems.push({ path: `playbooks.${name}.provider`, message });
    }
  }
  if (problems.length > 0) throw badConfiguration(problems);
  return own;
}

const SAME = 'same';

/** Returns the examiners that kinds name; null: the kind's own models. */
function namedExaminers(
  { playbooks }: SettingsFile,
  resolve: Resolve,
  table: ProviderTable,
): Record<string, ResolvedProvider | null> {
  const named: Record<string, ResolvedProvider | null> = {};
  const problems: FieldProblem[] = [];
  for (const [name, { examiner }] of Object.entries(playbooks)) {
    if (examiner === undefined) continue;
    try {
      named[name] = examiner === SAME ? null : resolve(examiner);
    } catch (thrown) {
      const { reasonCode, message } = asCasefileError(thrown);
      const expected = `expected one of ${[...table.keys(), SAME].join(', ')}`;
      problems.push({
        path: `playbooks.${name}.examiner`,
        message: reasonCode === 'unknown_provider' ? expected : message,
      });
    }
  }
  if (problems.length > 0) throw badConfiguration(problems);
  return named;
}

function whyUnusable({ reasonCode, message }: CasefileError, table: ProviderTable): string {
  return reasonCode === 'unknown_provider'
    ? `expected one of ${[...table.keys(), 'none'].join(', ')}`
    : message;
}

function checkAllPrices(
  {
    provider,
    fallbackProviders,
    playbookProviders,
  }: Omit<ConfiguredProviders, 'providerNamed' | 'providerNames' | 'examinerFor'>,
  resolve: Resolve,
  { budgets, playbooks }: SettingsFile,
): void {
  if (!counts(budgets, 'usd')) return;
  const { cheaperModel } = budgets;
  const cheaper = cheaperModel === undefined || provider === null ? [] : [withModel(provider, cheaperModel)];
  const ofPlaybooks = Object.values(playbookProviders).flatMap((one) => one ?? []);
  const low = Object.entries(playbooks).flatMap(([name, { models }]) => {
    const of = name in playbookProviders ? playbookProviders[name] : provider;
    return of == null || models.low === undefined ? [] : [resolve(of.entry.name, models.low)];
  });
  const main = provider === null ? [] : [provider, ...fallbackProviders, ...cheaper];
  const entries: ProviderEntry[] = [...main, ...ofPlaybooks, ...low].map(({ entry }) => entry);
  checkPrices(entries);
}

function withModel(provider: ResolvedProvider, model?: string): ResolvedProvider {
  return model === undefined ? provider : { ...provider, entry: { ...provider.entry, model } };
}

// A run older than the configuration may name a removed provider. It then runs without a model.
function orNull(resolve: () => ResolvedProvider): ResolvedProvider | null {
  try {
    return resolve();
  } catch (thrown) {
    const { reasonCode } = asCasefileError(thrown);
    if (reasonCode === 'unknown_provider' || reasonCode === 'missing_key') return null;
    throw thrown;
  }
}

/**
 * Returns the error of an invalid configuration. It names every wrong variable or key, and prints no values.
 */
export function badConfiguration(problems: FieldProblem[]): CasefileError {
  const list = problems.map((problem) => `- ${problem.path}: ${problem.message}`).join('\n');
  return new CasefileError('bad_configuration', `The configuration is not valid:\n${list}`, {
    details: { problems },
  });
}

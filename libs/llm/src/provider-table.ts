import { CasefileError, DEMONSTRATION, parseInput, z } from '@casefile/contracts';
import { providerEntrySchema } from './provider-entry.js';
import type { ProviderEntry } from './provider-entry.js';
import { SHIPPED_PROVIDERS } from './shipped-providers.js';

/** Providers by name, in the order in which keys are searched. Read and validated once, at start. */
export type ProviderTable = ReadonlyMap<string, ProviderEntry>;

const nameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,63}$/, 'expected a name of lower-case letters, digits and dashes')
  .refine((name) => name !== 'none', 'none means no provider and cannot be one')
  .refine((name) => name !== DEMONSTRATION, 'demonstration is the name of `up --demo` and cannot be another');
const overridesSchema = z.object({ providers: z.record(nameSchema, z.looseObject({})) });
const tableSchema = z.object({ providers: z.record(nameSchema, providerEntrySchema) });

/**
 * Returns the shipped providers merged key by key with `overrides` (the configuration's `providers`, by
 * name). A name that is not shipped adds a provider.
 * @throws InvalidInput that names every wrong field.
 */
export function readProviderTable(overrides: unknown = {}): ProviderTable {
  const wanted = parseInput(overridesSchema, { providers: overrides ?? {} }, 'provider table').providers;
  const merged = new Map<string, object>(Object.entries(SHIPPED_PROVIDERS));
  for (const [name, override] of Object.entries(wanted))
    merged.set(name, laidOver(merged.get(name) ?? {}, override));
  const { providers } = parseInput(tableSchema, { providers: Object.fromEntries(merged) }, 'provider table');
  return new Map(Object.entries(providers).map(([name, entry]) => [name, { name, ...entry }]));
}

function laidOver(base: object, override: object): object {
  const limits = { ...partOf(base, 'limits'), ...partOf(override, 'limits') };
  return Object.keys(limits).length === 0 ? { ...base, ...override } : { ...base, ...override, limits };
}

function partOf(from: object, key: string): object {
  const value: unknown = Reflect.get(from, key);
  return typeof value === 'object' && value !== null ? value : {};
}

export interface ProviderChoice {
  table: ProviderTable;
  name: string;
  /** The environment, as passed by the configuration reader, with the keys and base URLs. */
  env: Record<string, string | undefined>;
  /** `LLM_MODEL`. */
  model?: string | undefined;
  /** `LLM_BASE_URL`; wins over the provider's own variable. */
  baseUrl?: string | undefined;
}

export interface ResolvedProvider {
  entry: ProviderEntry;
  apiKey: string | null;
  /** Warnings to log once, at start. */
  warnings: string[];
}

/**
 * Resolves a provider by name, with its model, base URL and key.
 * @throws CasefileError `unknown_provider` with the known names. `missing_key` with the name of the variable,
 * unless the base URL is set explicitly: an own server may need no key. InvalidInput for an invalid base URL.
 */
export function resolveProvider(choice: ProviderChoice): ResolvedProvider {
  const shipped = knownEntry(choice.table, choice.name);
  const env = (name: string | null) => (name === null ? undefined : nonEmpty(choice.env[name]));
  const ownBaseUrl = nonEmpty(choice.baseUrl) ?? env('LLM_BASE_URL') ?? env(baseUrlVariableOf(shipped));
  const baseUrl = checkedUrl(ownBaseUrl ?? shipped.baseUrl);
  const model = nonEmpty(choice.model) ?? env('LLM_MODEL') ?? shipped.model;
  const apiKey = env(shipped.keyVariable) ?? null;
  if (apiKey === null && shipped.keyVariable !== null && ownBaseUrl === undefined) throw missingKey(shipped);
  return { entry: { ...shipped, baseUrl, model }, apiKey, warnings: entryWarnings(shipped, apiKey) };
}

/**
 * Provider that plays hand-written answers at a URL of this machine. Its prices (US dollars per million
 * tokens) are invented, in the range of a small model's, to make costs visible. Its calls are free.
 */
export function demonstrationProvider(baseUrl: string): ResolvedProvider {
  const shape = {
    protocol: 'openai-chat',
    baseUrl,
    model: 'hand-written-answers',
    keyVariable: null,
    enableReasoning: false,
    structuredOutput: 'json_schema',
    prices: { '*': { input: 0.5, output: 2 } },
  };
  return { entry: { name: DEMONSTRATION, ...providerEntrySchema.parse(shape) }, apiKey: null, warnings: [] };
}

/**
 * Returns whether tool-selection prompts encourage thinking aloud with this provider. The adapter adds
 * `reasoningParams` regardless of this.
 */
export function encouragesReasoning(entry: ProviderEntry): boolean {
  return entry.enableReasoning ?? false;
}

/** Returns the first provider whose key is set, else `none`. This is the default if no provider is named. */
export function firstProviderWithKey(table: ProviderTable, env: Record<string, string | undefined>): string {
  return providersWithKey(table, env)[0]?.name ?? 'none';
}

/** Returns the providers whose key is set, in the order of the table. */
export function providersWithKey(
  table: ProviderTable,
  env: Record<string, string | undefined>,
): { name: string; keyVariable: string }[] {
  return [...table.values()].flatMap(({ name, keyVariable }) =>
    keyVariable !== null && nonEmpty(env[keyVariable]) !== undefined ? [{ name, keyVariable }] : [],
  );
}

/** Environment variable that replaces the base URL of a provider: `OPENAI_BASE_URL` for `OPENAI_API_KEY`. */
export function baseUrlVariableOf(entry: ProviderEntry): string {
  if (entry.baseUrlVariable !== undefined) return entry.baseUrlVariable;
  const stem =
    entry.keyVariable?.replace(/_(API_)?KEY$/, '') ?? entry.name.toUpperCase().replaceAll('-', '_');
  return `${stem}_BASE_URL`;
}

function knownEntry(table: ProviderTable, name: string): ProviderEntry {
  const entry = table.get(name);
  if (entry !== undefined) return entry;
  const known = [...table.keys(), 'none'].join(', ');
  throw new CasefileError(
    'unknown_provider',
    // The name itself is left out: a value in the wrong variable may be a key.
    `LLM_PROVIDER names an unknown provider. Known are: ${known}.`,
  );
}

function missingKey(entry: ProviderEntry): CasefileError {
  return new CasefileError(
    'missing_key',
    `The provider ${entry.name} needs a key: set ${entry.keyVariable}, or choose another LLM_PROVIDER.`,
  );
}

function entryWarnings(entry: ProviderEntry, apiKey: string | null): string[] {
  const warnings: string[] = [];
  if (entry.enableReasoning === undefined && entry.reasoningParams === undefined) {
    warnings.push(`The provider ${entry.name} has no reasoning configuration: no reasoning is asked for.`);
  }
  if (entry.keyVariable !== null && apiKey === null) {
    warnings.push(`The provider ${entry.name} is called without a key: ${entry.keyVariable} is not set.`);
  }
  return warnings;
}

function checkedUrl(baseUrl: string): string {
  const { baseUrl: checked } = parseInput(
    providerEntrySchema.pick({ baseUrl: true }),
    { baseUrl },
    'base URL',
  );
  return checked.replace(/(?<!\/)\/+$/, '');
}

function nonEmpty(value: string | undefined): string | undefined {
  const text = value?.trim();
  return text === undefined || text === '' ? undefined : text;
}

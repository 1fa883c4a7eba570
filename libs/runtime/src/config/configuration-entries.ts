import { variableValues, type Json, type JsonObject, type SettingEntry } from '@casefile/contracts';
import { MASK, maskJson } from '@casefile/masking';
import { effectiveSettings } from './effective-settings.js';
import type { Config } from './read-config.js';
import { leaves } from './read-settings.js';
import { environmentSchema } from './environment-schema.js';
import { variableDeclarations } from './tool-environment.js';

const SECRET_NAME = /(?:KEY|SECRET|TOKEN|PASSWORD)$/;
/** User and password of a URL. */
const USER_INFO = /^([a-z][a-z0-9+.-]{0,30}:\/\/)[^/?#@]{1,1000}@/i;

/**
 * Returns every setting in force with its value and source. Secrets are masked, and `${NAME}` is not replaced.
 */
export async function configurationEntries(config: Config): Promise<SettingEntry[]> {
  const settings = leaves(await effectiveSettings(config));
  return [
    ...(await environmentEntries(config)),
    ...settings.map(([name, value]) => settingEntry(config, name, value)),
    ...kindEntries(config),
  ];
}

/** Returns version, digest and module of each kind from outside. */
function kindEntries({ kinds, origins }: Config): SettingEntry[] {
  return kinds.flatMap((kind): SettingEntry[] => {
    if (kind.outside === null) return [];
    const { name, version } = kind.playbook;
    const value = { version, sha256: kind.outside.digest, module: kind.outside.entry };
    const isInFile = kind.outside.setting === 'kinds';
    const file = isInFile ? (origins?.files.get('kinds') ?? null) : null;
    return [{ name: `installed kind ${name}`, value, source: isInFile ? 'file' : 'environment', file }];
  });
}

/** Settings of a kind that a variable sets for all kinds. */
const BY_VARIABLE = { provider: 'LLM_PROVIDER', 'models.high': 'LLM_MODEL' } as const;

function settingEntry({ origins, env }: Config, name: string, value: Json): SettingEntry {
  const file = origins?.files.get(name) ?? null;
  if (file !== null) return { name, value, source: 'file', file };
  const [, option] = /^playbooks\.[^.]+\.(provider|models\.high)$/.exec(name) ?? [];
  const variable = option === undefined ? undefined : env[BY_VARIABLE[option as keyof typeof BY_VARIABLE]];
  return { name, value, source: variable === undefined ? 'default' : 'environment', file: null };
}

async function environmentEntries({ env, toolEnvironment, kinds, origins }: Config): Promise<SettingEntry[]> {
  const set = origins?.environment ?? new Set<string>();
  const variableNames = Object.keys(environmentSchema.shape) as (keyof typeof env)[];
  const values: JsonObject = {};
  for (const name of variableNames) values[name] = hidden(name, (env[name] ?? null) as Json);
  for (const { variables } of variableDeclarations(kinds)) {
    const inForce: Readonly<Record<string, unknown>> = variableValues(variables, toolEnvironment);
    for (const [name, { isSecret }] of Object.entries(variables)) {
      const value = (inForce[name] ?? null) as Json;
      values[name] = isSecret && value !== null ? MASK : hidden(name, value);
    }
  }
  const others = [...set].filter((name) => /^[A-Z]+_API_KEY$/.test(name) && !Object.hasOwn(values, name));
  for (const name of others) values[name] = MASK;
  const masked = (await maskJson(values)).value as JsonObject;
  return Object.entries(masked).map(([name, value]) => ({
    name,
    value,
    source: set.has(name) ? 'environment' : 'default',
    file: null,
  }));
}

function hidden(name: string, value: Json): Json {
  if (typeof value !== 'string') return value;
  return SECRET_NAME.test(name) ? MASK : value.replace(USER_INFO, `$1${MASK}@`);
}

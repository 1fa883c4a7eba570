import { isObject, type Json, type JsonObject, type Masking } from '@casefile/contracts';
import { MASK, maskJson } from '@casefile/masking';
import { describeInstallation } from '../installation/describe-installation.js';
import type { Config } from './read-config.js';

/** Settings with these names may be secrets, unless they name an environment variable. */
const MAY_BE_SECRET = new Set(['env', 'headers', 'token', 'secret']);

const NONE = { personalData: [], patterns: [] };

/**
 * Returns the settings in effect: the shipped ones, overridden by the user's files, with all options of each
 * kind of case. Secrets are masked, also in command arguments and URLs.
 */
export async function effectiveSettings(config: Config): Promise<JsonObject> {
  const { playbooks } = describeInstallation(config);
  const kinds = Object.entries(playbooks).map(([name, kind]) => {
    const { strategy, provider, model, lowModel, examiner, reasoning, masking, options } = kind;
    const models = { high: model, ...(lowModel === undefined ? {} : { low: lowModel }) };
    const thinking = reasoning === undefined ? {} : { reasoning };
    return [
      name,
      {
        strategy,
        provider,
        models,
        examiner: examiner?.provider ?? 'same',
        ...thinking,
        masking: shownMasking(masking),
        ...options,
      },
    ] as const;
  });
  const settings = { ...config.settings, playbooks: Object.fromEntries(kinds) };
  // JSON has no unset fields.
  const visibleSettings = withoutSecrets(JSON.parse(JSON.stringify(settings)) as JsonObject, false);
  return (await maskJson(visibleSettings)).value as JsonObject;
}

function withoutSecrets(value: Json, isSecret: boolean): Json {
  if (typeof value === 'string') return isSecret && !value.includes('${') ? MASK : value;
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, isSecret));
  if (!isObject(value)) return value;
  const entries = Object.entries(value as JsonObject);
  return Object.fromEntries(
    entries.map(([name, one]) => [name, withoutSecrets(one as Json, isSecret || MAY_BE_SECRET.has(name))]),
  );
}

/** Returns masking as a file sets it. */
function shownMasking({ personalData, patterns }: Pick<Masking, 'personalData' | 'patterns'> = NONE) {
  return { personalData, patterns: Object.fromEntries(patterns.map(({ name, pattern }) => [name, pattern])) };
}

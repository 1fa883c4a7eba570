import {
  fieldProblems,
  InvalidInput,
  isObject,
  SOURCE_MODES,
  type FieldProblem,
  type JsonObject,
} from '@casefile/contracts';
import { options } from './options.js';
import { tierEntrySchema, type TierEntry } from './tiers.js';

/** Settings of users' files in their normalised spelling, with the option of each. */
const OPTIONS: Record<string, { option: string; seconds?: true }> = {
  enabled: { option: 'enabled' },
  maxiterations: { option: 'maxRounds' },
  maxrounds: { option: 'maxRounds' },
  maxretries: { option: 'maxRetries' },
  analysttimeout: { option: 'analystTimeoutMs', seconds: true },
  critictimeout: { option: 'criticTimeoutMs', seconds: true },
  writertimeout: { option: 'writerTimeoutMs', seconds: true },
};
const RULES: Record<string, string> = { maxtier: 'maxTier', comparetiers: 'compareTiers' };
const TYPES = ['official', 'news', 'digital', 'digital', 'social'] as const;

const spelling = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase();

/**
 * Reads the options of a user's own settings file: sections `reasoning`, `source_tiers`,
 * `source_tiers_by_language` and `mode_configs`, in snake_case or camelCase, timeouts in seconds. Missing
 * settings get the defaults. Other sections are ignored.
 * @throws InvalidInput that names each wrong key as it is written in the file.
 */
export function readSettingsFile(file: unknown): JsonObject {
  if (!isObject(file))
    throw new InvalidInput([{ path: '', message: 'expected sections by name' }], 'settings of research');
  const problems: FieldProblem[] = [];
  const read: JsonObject = {};
  const at = new Map<string, string>();
  for (const [section, body] of Object.entries(file)) {
    const kind = spelling(section);
    if (kind === 'reasoning') readReasoning(section, body, { read, at, problems });
    if (kind === 'sourcetiers') {
      read['sourceTiers'] = readTiers(section, body, problems) as never;
      at.set('sourceTiers', section);
    }
    if (kind === 'sourcetiersbylanguage') {
      read['sourceTiersByLanguage'] = readTiersByLanguage(section, body, problems);
      at.set('sourceTiersByLanguage', section);
    }
    if (kind === 'modeconfigs') {
      read['modes'] = readModes(section, body, problems);
      at.set('modes', section);
    }
  }
  if (problems.length === 0) problems.push(...readProblems(read, at));
  if (problems.length > 0) throw new InvalidInput(problems, 'settings of research');
  return read;
}

interface SettingsReading {
  read: JsonObject;
  at: Map<string, string>;
  problems: FieldProblem[];
}

function readReasoning(section: string, body: unknown, { read, at, problems }: SettingsReading): void {
  if (!isObject(body)) return void problems.push({ path: section, message: 'expected settings by name' });
  for (const [key, value] of Object.entries(body)) {
    const known = OPTIONS[spelling(key)];
    const path = `${section}.${key}`;
    if (known === undefined) continue;
    at.set(known.option, path);
    read[known.option] = (
      known.seconds && typeof value === 'number' ? value * 1_000 : enabledOf(value)
    ) as never;
  }
}

// A percentage may be written with its sign.
function enabledOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const share = /^(\d{1,3})\s?%$/.exec(value.trim())?.[1];
  return share === undefined ? value : Number(share);
}

/** Reads tiers given as tiers with names, as names with tiers, or as a list. */
function readTiers(section: string, body: unknown, problems: FieldProblem[]): TierEntry[] {
  const given = Array.isArray(body)
    ? body.map((value, i) => ({ path: `${section}.${i}`, value: value as unknown }))
    : isObject(body)
      ? Object.entries(body).flatMap(([key, value]) => underKey(`${section}.${key}`, key, value))
      : [];
  return given.flatMap(({ path, value }) => {
    const read = tierEntrySchema.safeParse(withType(value));
    if (read.success) return [read.data];
    problems.push(
      ...fieldProblems(read.error).map((one) => ({ path: joinedPath(path, one.path), message: one.message })),
    );
    return [];
  });
}

function readTiersByLanguage(section: string, body: unknown, problems: FieldProblem[]): JsonObject {
  if (!isObject(body)) {
    problems.push({ path: section, message: 'expected tiers by language, such as en' });
    return {};
  }
  return Object.fromEntries(
    Object.entries(body).map(([language, tiers]) => [
      language,
      readTiers(`${section}.${language}`, tiers, problems) as never,
    ]),
  );
}

function underKey(path: string, key: string, value: unknown): { path: string; value: unknown }[] {
  const tier = /^(?:tier_?)?(\d{1,3})$/i.exec(key)?.[1];
  if (tier === undefined)
    return [
      { path, value: isObject(value) ? { ...lowerKeys(value), name: key } : { name: key, tier: value } },
    ];
  const list = Array.isArray(value) ? value : [value];
  return list.map((one: unknown, i) => ({
    path: `${path}.${i}`,
    value: { ...(isObject(one) ? lowerKeys(one) : { name: one }), tier: Number(tier) },
  }));
}

const lowerKeys = (value: object) =>
  Object.fromEntries(Object.entries(value).map(([key, one]) => [spelling(key), one as unknown]));

function withType(value: unknown): unknown {
  if (!isObject(value)) return value;
  const { name, tier, type, domain, domains } = lowerKeys(value);
  const usual = typeof tier === 'number' ? TYPES[tier - 1] : undefined;
  const known = domains ?? (domain === undefined ? [] : [domain]);
  return { name, tier, type: type ?? usual ?? 'unknown', domains: known };
}

function readModes(section: string, body: unknown, problems: FieldProblem[]): JsonObject {
  const modes = structuredClone(options.defaults['modes'] as JsonObject);
  if (!isObject(body)) {
    problems.push({ path: section, message: 'expected modes by name' });
    return modes;
  }
  for (const [mode, rule] of Object.entries(body)) {
    const path = `${section}.${mode}`;
    if (!SOURCE_MODES.some((known) => known === mode)) {
      problems.push({ path, message: `expected one of ${SOURCE_MODES.join(', ')}` });
      continue;
    }
    if (!isObject(rule)) {
      problems.push({ path, message: 'expected settings by name' });
      continue;
    }
    const said = Object.entries(rule).flatMap(([key, value]) => {
      const own = RULES[spelling(key)];
      return own === undefined ? [] : [[own, value as unknown] as const];
    });
    const compare = said.find(([key]) => key === 'compareTiers');
    if (compare !== undefined && !(Array.isArray(compare[1]) && compare[1].length === 2))
      problems.push({ path: `${path}.compare_tiers`, message: 'expected two tiers to compare' });
    modes[mode] = { ...(modes[mode] as JsonObject), ...(Object.fromEntries(said) as JsonObject) };
  }
  return modes;
}

const joinedPath = (path: string, more: string) => (more === '' ? path : `${path}.${more}`);

// Validates the settings against the schema of the options, and reports problems by the names of the file.
function readProblems(read: JsonObject, at: ReadonlyMap<string, string>): FieldProblem[] {
  try {
    options.check({ ...options.defaults, ...read });
    return [];
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error;
    return error.problems.map(({ path, message }) => {
      const [option = '', ...rest] = path.split('.');
      return { path: joinedPath(at.get(option) ?? option, rest.join('.')), message };
    });
  }
}

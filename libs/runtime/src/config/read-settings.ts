import { join, resolve } from 'node:path';
import { CasefileError, isObject, parseInput, type Json, type JsonObject } from '@casefile/contracts';
import { settingsFileSchema, type SettingsFile } from './settings-schema.js';
import { readSettingsYaml, whyUnreadable } from './settings-yaml.js';

/**
 * Reads the shipped settings and the files that override them, in order.
 * @param folder Folder of the Casefile installation.
 * @throws CasefileError `bad_configuration`, InvalidInput that names each wrong field.
 */
export function readSettings(folder: string, files: readonly string[]): SettingsFile {
  const all = [join(folder, 'config/default.yaml'), ...files.map((file) => resolve(file))];
  const merged = all.map(readYaml).reduce(laidOver);
  return parseInput(settingsFileSchema, merged, ['configuration', ...files].join(' '));
}

function readYaml(path: string): unknown {
  try {
    return readSettingsYaml(path);
  } catch (error) {
    const message = `CASEFILE_CONFIG: ${path} cannot be read as YAML: ${whyUnreadable(error)}`;
    throw new CasefileError('bad_configuration', message, { cause: error });
  }
}

/** Returns the paths of the settings that each file sets, with the last file that does. */
export function settingFiles(files: readonly string[]): Map<string, string> {
  return new Map(
    files.flatMap((file) =>
      leaves((readYaml(resolve(file)) ?? {}) as Json).map(([path]) => [path, file] as const),
    ),
  );
}

/**
 * Returns each value that is no object with keys, under its path: `a.b` for `{ a: { b: 1 } }`.
 */
export function leaves(value: Json, path = ''): [path: string, value: Json][] {
  if (!isObject(value) || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value as JsonObject).flatMap(([name, one]) =>
    leaves(one, path === '' ? name : `${path}.${name}`),
  );
}

/** Objects are merged key by key, everything else is replaced. */
function laidOver(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over;
  const keys = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, key in over ? laidOver(base[key], over[key]) : base[key]]),
  );
}

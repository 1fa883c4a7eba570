import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isObject } from '@casefile/contracts';

/** Files in which a kind may begin if its package.json names none, relative to its folder. */
const ENTRIES = ['index.ts', 'index.mjs', 'index.js', 'src/index.ts', 'src/index.mjs', 'src/index.js'];

/** Module and folder of a kind from outside this program. */
export interface FoundKind {
  /** The name or path under which the settings name it. */
  name: string;
  /** Path of the module that exports the kind. */
  entry: string;
  /** Folder of the kind. Its files are what its digest covers. */
  folder: string;
}

/**
 * Returns the module of a kind. A name that begins with `.` or `/` is a path, from `from`: a folder or a file.
 * Any other name is a package in a folder `node_modules` at or above `from`.
 * @returns a text that states what was expected if there is no such module
 */
export function findKind(name: string, from: string): FoundKind | string {
  const isPath = name.startsWith('.') || isAbsolute(name);
  const path = isPath ? resolve(from, name) : packageFolder(name, from);
  if (path === null)
    return `expected a path that begins with ./ or /, or a package installed at or above ${from}; there is no package ${name}`;
  if (!existsSync(path)) return `expected a folder or a module; there is no ${path}`;
  const real = realpathSync(path);
  if (statSync(real).isFile()) return { name, entry: real, folder: dirname(real) };
  const entry = entryOf(real);
  if (entry === null)
    return `expected ${ENTRIES.slice(0, 4).join(', ')} or a package.json whose "exports" or "main" names a file in ${real}`;
  return { name, entry, folder: real };
}

function packageFolder(name: string, from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return null;
  }
}

function entryOf(folder: string): string | null {
  const file = join(folder, 'package.json');
  const declared = existsSync(file) ? declaredEntry(JSON.parse(readFileSync(file, 'utf8'))) : null;
  const candidates = [...(declared === null ? [] : [declared]), ...ENTRIES];
  return candidates.map((path) => join(folder, path)).find((path) => existsSync(path)) ?? null;
}

/** Returns the path that a package.json declares for imports of the package; null: none. */
function declaredEntry(content: unknown): string | null {
  if (!isObject(content)) return null;
  const { exports: exported, main } = content as { exports?: unknown; main?: unknown };
  const root = isObject(exported) && '.' in exported ? exported['.'] : exported;
  return importTarget(root) ?? (typeof main === 'string' ? main : null);
}

function importTarget(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return null;
  for (const condition of ['import', 'node', 'default'])
    if (condition in value) return importTarget(value[condition]);
  return null;
}

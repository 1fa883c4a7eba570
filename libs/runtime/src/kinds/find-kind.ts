import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isObject } from '@casefile/contracts';
import { kitProblem } from './kit-problem.js';

/** Files in which a kind may begin, the first one that exists, if its package.json names none, relative to its folder. */
const ENTRIES = [
  'kind.yaml',
  'index.ts',
  'index.mjs',
  'index.js',
  'src/index.ts',
  'src/index.mjs',
  'src/index.js',
];

/** Module and folder of a kind from outside this program. */
export interface FoundKind {
  /** The name or path under which the settings name it. */
  name: string;
  /** Path of the module that exports the kind, or of a YAML file that describes it. */
  entry: string;
  /** Folder of the kind. Its files are what its digest covers. */
  folder: string;
}

/**
 * Returns the module of a kind. A name that begins with `.` or `/` is a path, from `from`: a folder or a file.
 * Any other name is a package in a folder `node_modules` at or above `from`, else a path as well.
 * @returns a text that states what was expected if there is no such module, or if it was written for another kit
 */
export function findKind(name: string, from: string): FoundKind | string {
  const isPath = name.startsWith('.') || isAbsolute(name);
  const path = (isPath ? null : packageFolder(name, from)) ?? pathOf(name, from, isPath);
  if (path === null)
    return `expected a path, or a package installed at or above ${from}; there is no ${name}`;
  if (!existsSync(path)) return `expected a folder or a module; there is no ${path}`;
  const real = realpathSync(path);
  const isFile = statSync(real).isFile();
  const folder = isFile ? dirname(real) : real;
  const manifest = manifestOf(folder);
  if (typeof manifest === 'string') return manifest;
  const problem = kitProblem(folder, manifest);
  if (problem !== null) return problem;
  if (isFile) return { name, entry: real, folder };
  const declared = manifest === null ? null : declaredEntry(manifest);
  const candidates = declared === null ? ENTRIES : [declared];
  const entry = candidates.map((file) => join(real, file)).find((file) => existsSync(file)) ?? null;
  if (entry === null && declared !== null)
    return `expected the file that "exports" or "main" names; there is no ${join(real, declared)}`;
  if (entry === null)
    return `expected ${ENTRIES.slice(0, 5).join(', ')} or a package.json whose "exports" or "main" names a file in ${real}`;
  return { name, entry, folder };
}

function pathOf(name: string, from: string, isPath: boolean): string | null {
  const path = resolve(from, name);
  return isPath || existsSync(path) ? path : null;
}

function packageFolder(name: string, from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return null;
  }
}

/** Returns the package.json of a folder; null: it has none; a text that states what was expected if it is no JSON object. */
function manifestOf(folder: string): Record<string, unknown> | string | null {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return null;
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(content) ? content : `expected a JSON object in ${file}`;
  } catch (error) {
    return `expected JSON in ${file}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Returns the path that a package.json declares for imports; null: none. */
function declaredEntry({ exports: exported, main }: Record<string, unknown>): string | null {
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

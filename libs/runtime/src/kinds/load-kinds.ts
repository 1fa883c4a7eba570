import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FieldProblem } from '@casefile/contracts';
import type { Kind } from '@casefile/kit';
import { badConfiguration } from '../config/read-providers.js';
import { checkedKind } from '@casefile/kit/check-kind';
import { findKind, type FoundKind } from './find-kind.js';
import { containedKind } from './contained-kind.js';
import { kindDigest } from './kind-digest.js';

/** Settings that name kinds: the variable, and the section of a settings file. */
export type KindSetting = 'CASEFILE_KINDS' | 'kinds';

/** An installed kind of case. */
export interface InstalledKind extends Kind {
  /** Module and digest of a kind from outside, and the setting that names it; null: the kind is shipped. */
  outside: { entry: string; digest: string; setting: KindSetting } | null;
}

/** Names of kinds from outside, by the setting that lists them. */
export interface NamedKinds {
  /** From CASEFILE_KINDS, relative to the working directory. */
  environment: readonly string[];
  /** From the section `kinds`, with the file that has it. Paths are relative to this file. */
  settings: readonly string[];
  file: string | null;
}

/** Kinds that were loaded by this process. Node loads a module once. */
const loadedKinds = new Map<string, Promise<LoadedKind | FieldProblem[]>>();

/** A kind with its module and digest. */
interface LoadedKind extends Kind {
  outside: { entry: string; digest: string };
}

/**
 * Loads the shipped kinds, then the named ones, in their order.
 * @throws CasefileError `bad_configuration` that names each kind that cannot be loaded, with file, field and
 * expectation.
 */
export async function loadInstalledKinds(named: NamedKinds): Promise<InstalledKind[]> {
  const { shippedKinds } = await import('@casefile/shipped');
  const shipped = (await shippedKinds()).map((kind): InstalledKind => ({ ...kind, outside: null }));
  const from = named.file === null ? process.cwd() : dirname(resolve(named.file));
  const all = [
    ...named.environment.map((name) => ({ at: 'CASEFILE_KINDS' as const, name, from: process.cwd() })),
    ...named.settings.map((name) => ({ at: 'kinds' as const, name, from })),
  ];
  const problems: FieldProblem[] = [];
  const installed = [...shipped];
  for (const { at, name, from: folder } of all) {
    const found = findKind(name, folder);
    const kind = typeof found === 'string' ? [{ path: '', message: found }] : await loadOnce(found);
    if (Array.isArray(kind)) {
      const file = typeof found === 'string' ? name : found.entry;
      for (const { path, message } of kind)
        problems.push({ path: at, message: `${[file, path].filter(Boolean).join(': ')}: ${message}` });
      continue;
    }
    const other = installed.find(({ playbook }) => playbook.name === kind.playbook.name);
    const { entry, digest } = kind.outside;
    if (other === undefined) installed.push({ ...kind, outside: { entry, digest, setting: at } });
    else if (other.outside?.entry !== entry)
      problems.push({
        path: at,
        message: `${entry}: default.playbook.name: ${kind.playbook.name} is the name of another installed kind`,
      });
  }
  if (problems.length > 0) throw badConfiguration(problems);
  return installed;
}

function loadOnce(found: FoundKind): Promise<LoadedKind | FieldProblem[]> {
  const loading = loadedKinds.get(found.entry) ?? load(found);
  loadedKinds.set(found.entry, loading);
  return loading;
}

async function load({ entry, folder }: FoundKind): Promise<LoadedKind | FieldProblem[]> {
  try {
    const kind = entry.endsWith('.yaml') ? await yamlKind(entry) : await moduleKind(entry, folder);
    if (Array.isArray(kind)) return kind;
    const warn = (problem: string) => process.emitWarning(problem, 'CasefileKind');
    return { ...containedKind(kind, warn), outside: { entry, digest: kindDigest(folder) } };
  } catch (error) {
    return [
      { path: '', message: `cannot be loaded: ${error instanceof Error ? error.message : String(error)}` },
    ];
  }
}

async function moduleKind(entry: string, folder: string): Promise<Kind | FieldProblem[]> {
  const { provideKit } = await import('@casefile/kit/hooks/provide-kit');
  provideKit(folder);
  return checkedKind((await import(pathToFileURL(entry).href)) as object);
}

async function yamlKind(entry: string): Promise<Kind | FieldProblem[]> {
  const { readYamlKind } = await import('@casefile/yaml-kind');
  const kind = readYamlKind(entry);
  return Array.isArray(kind) ? kind : checkedKind({ default: kind });
}

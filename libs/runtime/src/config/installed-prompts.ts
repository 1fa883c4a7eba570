import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CasefileError,
  type FieldProblem,
  type CaseStore,
  type InstalledPromptText,
  type Logger,
  type PromptName,
} from '@casefile/contracts';
import {
  readPrompt,
  type Prompt,
  type PromptText,
  type Sections,
  promptName,
  type Playbook,
} from '@casefile/pipeline';
import { promptSet, textDigest, type InstalledPrompt, type LoadedPrompts } from '@casefile/engine';
import { badConfiguration } from './read-providers.js';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Loads the texts of all prompts: the shipped ones, replaced by those of the user's folder. The prompt
 * `<kind>/answer@2` is the file `<kind>/answer@2.md`.
 * @param folder Path of the user's folder. Default: only the shipped texts.
 * @throws CasefileError `bad_configuration` that names every file that belongs to no prompt or differs from
 * its prompt's declaration.
 */
export function readPrompts(declared: readonly Prompt[], folder?: string): LoadedPrompts {
  const own = folder === undefined ? null : resolve(folder);
  const problems: FieldProblem[] = own === null ? [] : unknownFiles(own, declared);
  const texts = new Map<string, PromptText>();
  const installed: InstalledPrompt[] = [];
  for (const prompt of declared) {
    const shipped = fileURLToPath(prompt.file);
    const path = own === null ? shipped : [folderFile(own, prompt), shipped].find(existsSync)!;
    try {
      const shippedText = pathText(shipped);
      const read = readPrompt(prompt, pathText(path), shippedText);
      if ('text' in read) {
        texts.set(prompt.id, read.text);
        installed.push(installedPrompt(prompt, read.text, shippedText));
      } else problems.push(...read.problems.map((message) => ({ path, message })));
    } catch {
      problems.push({ path, message: 'expected a file that can be read, in UTF-8' });
    }
  }
  if (problems.length > 0) throw badConfiguration(problems);
  return {
    set: promptSet(
      [...texts.values()].map(({ id, source }) => ({ id, sha256: textDigest(source), text: source })),
    ),
    installed,
    of<S extends Sections>({ id }: Prompt<S>): PromptText<S> {
      const text = texts.get(id);
      if (text === undefined)
        throw new CasefileError(
          'bad_playbook',
          `No playbook declares the prompt ${id}: name it in a strategy`,
        );
      // The text has the sections of this type: it was checked against the prompt with this id.
      return text as PromptText<S>;
    },
  };
}

// A shipped text always satisfies the declaration of its prompt, so it needs no check.
function installedPrompt(prompt: Prompt, inForce: PromptText, shippedText: string): InstalledPrompt {
  if (inForce.id === prompt.id) return { prompt, shipped: inForce, folder: null };
  const shipped = readPrompt(prompt, shippedText);
  if ('problems' in shipped) throw new Error(shipped.problems.join('; '));
  return { prompt, shipped: shipped.text, folder: inForce };
}

const pathText = (path: string): string => utf8.decode(readFileSync(path));
const folderFile = (folder: string, { id }: Pick<Prompt, 'id'>): string => join(folder, `${id}.md`);

/** A file without a prompt is a misspelt name, or the text of a version that is no longer used. */
function unknownFiles(folder: string, declared: readonly Prompt[]): FieldProblem[] {
  const declaredFiles = new Set(declared.map((prompt) => folderFile(folder, prompt)));
  const names = declared.map(({ id }) => `${id}.md`).join(', ');
  return filesIn(folder)
    .filter((path) => path.endsWith('.md') && !declaredFiles.has(path))
    .map((path) => ({ path, message: `no prompt has this name; expected one of ${names}` }));
}

/** Returns the files of a folder and its subfolders. Hidden files are skipped. */
function filesIn(folder: string): string[] {
  const shownIn = (path: string) =>
    readdirSync(path).flatMap((name) => (name.startsWith('.') ? [] : [join(path, name)]));
  try {
    return shownIn(folder).flatMap((path) => (statSync(path).isDirectory() ? shownIn(path) : [path]));
  } catch {
    const message = `expected a folder that can be read, found ${folder}`;
    throw badConfiguration([{ path: 'CASEFILE_PROMPTS', message }]);
  }
}

/**
 * Returns the prompts that have versions: those that belong to a kind of case. Prompts of tools and imports
 * have none, because these are not frozen with a run.
 */
export function versionedPrompts({
  playbooks,
  prompts,
}: {
  playbooks: readonly Pick<Playbook, 'name'>[];
  prompts: Pick<LoadedPrompts, 'installed'>;
}): InstalledPrompt[] {
  const kinds = playbooks.map(({ name }) => name);
  return prompts.installed.filter(({ prompt }) => kinds.includes(splitName(prompt).playbook));
}

/** Returns kind and name of a prompt: `kind` and `answer` of `kind/answer@2`. */
export function splitName({ id }: Pick<Prompt, 'id'>): PromptName {
  const [playbook = '', ...name] = promptName(id).split('/');
  return { playbook, name: name.join('/') };
}

/** Returns the prompt of this name. undefined: this release has none. */
export function promptNamed(
  installed: readonly InstalledPrompt[],
  { playbook, name }: PromptName,
): InstalledPrompt | undefined {
  return installed.find(({ prompt }) => promptName(prompt.id) === `${playbook}/${name}`);
}

/** Adds the texts of this installation as versions, and notes which versions this release cannot use. */
export async function installPrompts(
  config: Parameters<typeof versionedPrompts>[0],
  { store: { promptVersions }, log }: { store: Pick<CaseStore, 'promptVersions'>; log: Logger },
): Promise<void> {
  const installed = versionedPrompts(config);
  for (const prompt of await promptVersions.install(installed.flatMap(installedTexts)))
    log.info(prompt, 'a person chose the live version of this prompt: the installed text is a candidate');
  for (const version of await promptVersions.inUse()) {
    const match = promptNamed(installed, version);
    const unfit = match === undefined ? 'this release has no such prompt' : findProblem(match, version.text);
    if (unfit === version.unfit) continue;
    await promptVersions.noteFit(version, version.version, unfit);
    const { id, state } = version;
    if (unfit !== null) log.warn({ prompt: id, state, unfit }, 'this release cannot use a prompt version');
  }
}

/** Returns why the current release cannot render a text. null: it can. */
export function findProblem({ prompt, shipped }: InstalledPrompt, text: string): string | null {
  const read = readPrompt(prompt, text, shipped.source);
  return 'problems' in read ? read.problems.join('; ') : null;
}

function installedTexts({ prompt, shipped, folder }: InstalledPrompt): InstalledPromptText[] {
  const declared = Number(/@(\d{1,9})$/.exec(prompt.id)?.[1] ?? 1);
  const describe = ({ id, source }: PromptText, author: 'shipped' | 'folder'): InstalledPromptText => ({
    ...splitName(prompt),
    id,
    sha256: textDigest(source),
    text: source,
    author,
    declared: author === 'shipped' ? declared : 1,
    inForce: author === 'folder' || folder === null,
  });
  return [describe(shipped, 'shipped'), ...(folder === null ? [] : [describe(folder, 'folder')])];
}

import type { CaseStore, InstalledPromptText, Logger } from '@casefile/contracts';
import { promptName, readPrompt, type Playbook, type Prompt, type PromptText } from '@casefile/pipeline';
import { textDigest, type InstalledPrompt } from '@casefile/engine';
import type { Config } from '../config/read-config.js';

/**
 * Returns the prompts that have versions: those that belong to a kind of case. Prompts of tools and imports
 * have none, because these are not frozen with a run.
 */
export function versionedPrompts({
  playbooks,
  prompts,
}: {
  playbooks: readonly Pick<Playbook, 'name'>[];
  prompts: Pick<Config['prompts'], 'installed'>;
}): InstalledPrompt[] {
  const kinds = playbooks.map(({ name }) => name);
  return prompts.installed.filter(({ prompt }) => kinds.includes(splitName(prompt).playbook));
}

/** Returns kind and name of a prompt: `kind` and `answer` of `kind/answer@2`. */
export function splitName({ id }: Pick<Prompt, 'id'>): { playbook: string; name: string } {
  const [playbook = '', ...name] = promptName(id).split('/');
  return { playbook, name: name.join('/') };
}

/** Adds the texts of this installation as versions, and notes which versions this release cannot use. */
export async function installPrompts(
  config: Pick<Config, 'playbooks' | 'prompts'>,
  { store: { promptVersions }, log }: { store: Pick<CaseStore, 'promptVersions'>; log: Logger },
): Promise<void> {
  const installed = versionedPrompts(config);
  for (const prompt of await promptVersions.install(installed.flatMap(installedTexts)))
    log.info(prompt, 'a person chose the live version of this prompt: the installed text is a candidate');
  for (const version of await promptVersions.inUse()) {
    const match = installed.find(
      ({ prompt }) => promptName(prompt.id) === `${version.playbook}/${version.name}`,
    );
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

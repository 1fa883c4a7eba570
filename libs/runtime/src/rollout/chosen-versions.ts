import {
  type CaseStore,
  type FieldProblem,
  type PromptVersionText,
  type RunSettings,
} from '@casefile/contracts';
import { promptName } from '@casefile/pipeline';
import type { InstalledPrompt } from '@casefile/engine';
import { findProblem, splitName } from '../config/installed-prompts.js';

export interface ChosenVersionPorts {
  store: { promptVersions: Pick<CaseStore['promptVersions'], 'get'> };
  /** Prompts of this release. */
  installed: readonly InstalledPrompt[];
}

/** Finds the versions of prompts that a person chose for runs, in any state. */
export class ChosenVersions {
  constructor(private readonly ports: ChosenVersionPorts) {}

  /**
   * Returns the versions with these numbers, and a problem for each prompt that runs with these settings do not use,
   * and for each version that does not exist or that this release cannot render.
   * @param chosen numbers by the name of a prompt, with or without its kind, or by its purpose
   */
  async find(
    { promptIds }: Pick<RunSettings, 'promptIds'>,
    chosen: Readonly<Record<string, number>>,
  ): Promise<{ versions: PromptVersionText[]; problems: FieldProblem[] }> {
    const results = await Promise.all(
      Object.entries(chosen).map(([name, version]) => this.version(promptIds, name, version)),
    );
    return {
      versions: results.filter((one) => 'text' in one),
      problems: results.filter((one) => 'path' in one),
    };
  }

  private async version(
    promptIds: RunSettings['promptIds'],
    name: string,
    version: number,
  ): Promise<PromptVersionText | FieldProblem> {
    const path = `settings.prompts.${name}`;
    const id = promptNamed(promptIds, name);
    const prompt = id === undefined ? undefined : this.installedPrompt(id);
    if (prompt === undefined)
      return { path, message: `expected one of ${Object.values(promptIds).map(promptName).join(', ')}` };
    const versionText = await this.ports.store.promptVersions.get(splitName(prompt.prompt), version);
    if (versionText === null) return { path, message: `the prompt has no version ${version}` };
    const problem = findProblem(prompt, versionText.text);
    return problem === null
      ? versionText
      : { path, message: `this release cannot use version ${version}: ${problem}` };
  }

  private installedPrompt(id: string): InstalledPrompt | undefined {
    return this.ports.installed.find(({ prompt }) => promptName(prompt.id) === promptName(id));
  }
}

/** Returns the id of the prompt with this purpose or name. */
function promptNamed(promptIds: RunSettings['promptIds'], name: string): string | undefined {
  const ids = Object.values(promptIds);
  return (
    ids.find((id) => promptName(id) === name) ??
    ids.find((id) => splitName({ id }).name === name) ??
    promptIds[name]
  );
}

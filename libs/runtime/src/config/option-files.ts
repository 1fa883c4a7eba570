import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidInput, type FieldProblem, type JsonObject } from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import { parse as parseYaml } from 'yaml';
import type { SettingsFile } from './settings-schema.js';

/** Between two looks at a file, in milliseconds. */
const LOOK_AGAIN_MS = 1_000;

/** Options of kinds of case that stand in files of their own, as new runs are frozen with them. */
export type FileOptions = (playbook: string) => JsonObject;

/**
 * Reads the files that settings of kinds name (`playbooks.<name>.settingsFile`), and again when one has changed: runs from then on
 * have the new options, those under way keep theirs. A changed file that is wrong changes nothing, and a warning says why.
 * @param problems Gets what is wrong with a file at start, by its key.
 * @param now In milliseconds.
 */
export function readOptionFiles(
  { playbooks: settings }: Pick<SettingsFile, 'playbooks'>,
  playbooks: readonly Pick<Playbook, 'name' | 'readSettingsFile'>[],
  problems: FieldProblem[],
  now: () => number = () => performance.now(),
): FileOptions {
  const files = new Map<string, OptionFile>();
  for (const [name, { settingsFile }] of Object.entries(settings)) {
    if (settingsFile === undefined) continue;
    const path = `playbooks.${name}.settingsFile`;
    const read = playbooks.find((one) => one.name === name)?.readSettingsFile;
    if (read === undefined) problems.push({ path, message: 'this kind of case reads no file of its own' });
    else files.set(name, new OptionFile(resolve(settingsFile), read, now));
    problems.push(...(files.get(name)?.look() ?? []).map((message) => ({ path, message })));
  }
  return (name) => files.get(name)?.current() ?? {};
}

class OptionFile {
  private options: JsonObject = {};
  private seen = '';
  private lookAt = 0;

  constructor(
    private readonly path: string,
    private readonly read: (file: unknown) => JsonObject,
    private readonly now: () => number,
  ) {}

  current(): JsonObject {
    if (this.now() >= this.lookAt)
      for (const problem of this.look())
        process.emitWarning(`${problem}; what was read before stays`, 'CasefileSettings');
    return this.options;
  }

  /** Reads the file where it is another than before. @returns what is wrong with it. */
  look(): string[] {
    this.lookAt = this.now() + LOOK_AGAIN_MS;
    try {
      const { mtimeMs, size, ino } = statSync(this.path);
      const seen = `${mtimeMs} ${size} ${ino}`;
      if (seen === this.seen) return [];
      this.seen = seen;
      this.options = this.read(parseYaml(readFileSync(this.path, 'utf8')) ?? {});
      return [];
    } catch (error) {
      if (error instanceof InvalidInput)
        return error.problems.map(({ path, message }) => `${this.path}: ${path}: ${message}`);
      return [`${this.path}: expected a file that can be read as YAML`];
    }
  }
}

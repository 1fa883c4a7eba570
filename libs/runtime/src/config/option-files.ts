import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import {
  InvalidInput,
  jsonObjectSchema,
  parseInput,
  type BoundedRunner,
  type FieldProblem,
  type JsonObject,
} from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import { createBoundedProcesses } from '../bounded/bounded-processes.js';
import type { SettingsFile } from './settings-schema.js';
import { readSettingsYaml, readSettingsYamlLater, whyUnreadable } from './settings-yaml.js';

/** Options of kinds of case that are read from separate files. */
export interface FileOptions {
  /** Increases each time that a file is read again. */
  readonly version: number;
  /** Returns the last read options, with which new runs of a playbook are frozen. */
  of(playbook: string): JsonObject;
  /**
   * Reads each changed file. New runs use the new options, and runs under way keep theirs. An invalid file
   * changes nothing, and a warning gives the reason.
   */
  refresh(): Promise<void>;
}

/**
 * Reads the files that settings of kinds name (`playbooks.<name>.settingsFile`).
 * @param problems Receives the problems of a file, by its key.
 * @param settingFiles The file that each setting is in. The path of a named file is relative to it.
 * @param runner Parses a file that changes while the process works.
 */
export function readOptionFiles(
  { playbooks: settings }: Pick<SettingsFile, 'playbooks'>,
  playbooks: readonly Pick<Playbook, 'name' | 'options'>[],
  problems: FieldProblem[],
  settingFiles: ReadonlyMap<string, string>,
  runner: BoundedRunner = createBoundedProcesses(),
): FileOptions {
  const files = new Map<string, OptionFile>();
  for (const [name, { settingsFile }] of Object.entries(settings)) {
    if (settingsFile === undefined) continue;
    const path = `playbooks.${name}.settingsFile`;
    const options = playbooks.find((one) => one.name === name)?.options;
    // The name of the kind is reported as unknown.
    if (options === undefined) continue;
    const read = options.readFile ?? ((file: unknown) => optionsIn(options, file));
    const naming = settingFiles.get(path);
    const folder = naming === undefined ? process.cwd() : dirname(resolve(naming));
    const file = new OptionFile(resolve(folder, settingsFile), read, runner);
    files.set(name, file);
    problems.push(...file.readFirst().map((message) => ({ path, message })));
  }
  const all = {
    version: 0,
    of: (name: string) => files.get(name)?.options ?? {},
    refresh: async () => {
      for (const file of files.values()) {
        const before = file.options;
        for (const problem of await file.refresh())
          process.emitWarning(`${problem}; what was read before stays`, 'CasefileSettings');
        if (file.options !== before) all.version += 1;
      }
    },
  };
  return all;
}

/** Reads a file whose keys are the names of options. @throws InvalidInput that names each wrong one. */
function optionsIn({ check }: Pick<Playbook['options'], 'check'>, file: unknown): JsonObject {
  const options = parseInput(jsonObjectSchema, file ?? {}, 'settings file');
  check(options);
  return options;
}

class OptionFile {
  options: JsonObject = {};
  /** State of the file at the last read; null: not read since the start of the process. */
  private lastState: string | null = null;

  constructor(
    private readonly path: string,
    private readonly read: (file: unknown) => JsonObject,
    private readonly runner: BoundedRunner,
  ) {}

  /** Reads the file at the start of a process. @returns its problems. */
  readFirst(): string[] {
    try {
      this.options = this.read(readSettingsYaml(this.path));
      return [];
    } catch (error) {
      return this.problemsOf(error);
    }
  }

  /** Reads the file if it has changed. @returns its problems, once. */
  async refresh(): Promise<string[]> {
    const now = await stat(this.path).then(
      ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
      (error: unknown) => whyUnreadable(error),
    );
    if (now === this.lastState) return [];
    this.lastState = now;
    try {
      this.options = this.read(await readSettingsYamlLater(this.path, this.runner));
      return [];
    } catch (error) {
      return this.problemsOf(error);
    }
  }

  private problemsOf(error: unknown): string[] {
    if (error instanceof InvalidInput)
      return error.problems.map(({ path, message }) => `${this.path}: ${path}: ${message}`);
    return [`${this.path}: expected a file that can be read as YAML: ${whyUnreadable(error)}`];
  }
}

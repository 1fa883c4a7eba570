import { readFileSync, statSync, type Stats } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { builtModule, CasefileError, type BoundedRunner, type BoundedTask } from '@casefile/contracts';
import { parseSettingsYaml } from './parse-settings-yaml.js';

/**
 * Maximum size of one file in bytes. The shipped file is a hundredth of it. Parsing takes one second per
 * megabyte.
 */
const MAX_BYTES = 1_000_000;

const PARSE_SETTINGS: BoundedTask<null, unknown> = {
  what: 'The settings file',
  advice: 'Divide it, or take out what it repeats.',
  limits: { memoryMb: 200, timeMs: 20_000 },
  module: builtModule('./parse-settings-task.js', import.meta.url),
  load: () => import('./parse-settings-task.js'),
};

/** Reads a YAML file of settings at the start of a process. @throws the read or parse error. */
export function readSettingsYaml(path: string): unknown {
  refuse(statSync(path));
  return parseSettingsYaml(readFileSync(path, 'utf8'));
}

/**
 * Reads a YAML file of settings while the process works. The runner parses it. @throws the read or parse
 * error.
 */
export async function readSettingsYamlLater(path: string, runner: BoundedRunner): Promise<unknown> {
  refuse(await stat(path));
  return runner.run(PARSE_SETTINGS, await readFile(path), null);
}

/** Returns the reason why a file of settings cannot be read, as the end of a sentence. */
export function whyUnreadable(error: unknown): string {
  if (error instanceof CasefileError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? (message.split('\n')[0] ?? '') : code;
}

function refuse(stats: Stats): void {
  if (!stats.isFile()) throw new CasefileError('bad_configuration', 'it is not a file');
  if (stats.size > MAX_BYTES)
    throw new CasefileError(
      'bad_configuration',
      `it has ${stats.size} bytes, and at most ${MAX_BYTES} can be read`,
    );
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { folderName, iterationFiles, playbooks } from '@casefile/pipeline';
import type { ShownCase } from '../client/console-client.js';

/**
 * Writes the rounds of a case to a new folder within `folder`. @returns the new folder, and the names of its
 * files.
 */
export async function writeIterations(
  shown: ShownCase,
  folder: string,
): Promise<{ own: string; names: string[] }> {
  const run = shown.runs.find(({ id }) => id === shown.leadingRunId) ?? shown.runs.at(-1);
  const kind = playbooks.find(({ name }) => name === run?.settings.playbook);
  const files = run === undefined ? [] : iterationFiles(run, kind?.presenting.agents);
  const own = join(folder, folderName(shown));
  await mkdir(own, { recursive: true });
  for (const { name, body } of files) await writeFile(join(own, name), `${JSON.stringify(body, null, 2)}\n`);
  return { own, names: files.map(({ name }) => name) };
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '@casefile/contracts';
import { folderName, iterationFiles } from '@casefile/pipeline';
import type { KindParts } from '../kinds.js';
import type { ShownCase } from '../client/console-client.js';

/**
 * Writes the rounds of a case to a new folder within `folder`. @returns the new folder, and the names of its
 * files.
 */
export async function writeIterations(
  shownCase: ShownCase,
  folder: string,
  kinds: KindParts,
): Promise<{ own: string; names: string[] }> {
  const files = roundFiles(shownCase, kinds);
  const title = shownCase.alerts[0]?.displayTitle ?? '';
  const own = join(folder, folderName({ id: shownCase.id, title }));
  await mkdir(own, { recursive: true });
  for (const { name, body } of files) await writeFile(join(own, name), `${JSON.stringify(body, null, 2)}\n`);
  return { own, names: files.map(({ name }) => name) };
}

/**
 * Returns one object per round and agent of the leading run of a case, as `writeIterations` writes them, with
 * the case, run and kind. The summary is not among them.
 */
export function iterationObjects(shownCase: ShownCase, kinds: KindParts): JsonObject[] {
  const run = leadingRun(shownCase);
  if (run === undefined) return [];
  const names = { case: shownCase.caseId, run: run.id, playbook: run.settings.playbook };
  const rounds = roundFiles(shownCase, kinds).filter(({ body }) => 'iteration' in body);
  return rounds.map(({ body }) => ({ ...names, ...body }));
}

function leadingRun({ runs, leadingRunId }: ShownCase): ShownCase['runs'][number] | undefined {
  return runs.find(({ id }) => id === leadingRunId) ?? runs.at(-1);
}

function roundFiles(shownCase: ShownCase, kinds: KindParts): ReturnType<typeof iterationFiles> {
  const run = leadingRun(shownCase);
  return run === undefined ? [] : iterationFiles(run, kinds.agentsOf(run.settings.playbook));
}

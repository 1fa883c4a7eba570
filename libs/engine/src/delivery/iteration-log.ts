import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alertTitle, type CaseReader, type Logger, type VerdictMessage } from '@casefile/contracts';
import { folderName, iterationFiles, kindDisplay, type Playbook } from '@casefile/pipeline';

export interface IterationLogPorts {
  record: Pick<CaseReader, 'getCase'>;
  playbooks: readonly Pick<Playbook, 'name' | 'presenting' | 'maxRounds'>[];
  log: Logger;
  folder: string;
}

/**
 * Writes the rounds of a decided case to its own folder, if its kind has several rounds. Each file appears
 * complete, and the summary last. Write errors are only logged, because the record has the rounds in any case.
 */
export async function writeIterations(
  { record, playbooks, log, folder }: IterationLogPorts,
  { caseId, runId, playbook }: Pick<VerdictMessage, 'caseId' | 'runId' | 'playbook'>,
): Promise<void> {
  const kind = playbooks.find(({ name }) => name === playbook);
  if (kind === undefined || kind.maxRounds === 1) return;
  try {
    const caseDocument = await record.getCase(caseId);
    const run = caseDocument?.runs.find(({ id }) => id === runId);
    if (caseDocument === null || run === undefined) return;
    const [first = {}] = caseDocument.alerts;
    const title = alertTitle(first, kindDisplay(kind.presenting));
    const own = join(folder, folderName({ id: caseId, title }));
    await mkdir(own, { recursive: true });
    for (const { name, body } of iterationFiles(run, kind.presenting.agents))
      await writeComplete(join(own, name), `${JSON.stringify(body, null, 2)}\n`);
  } catch (error) {
    log.warn({ error, caseId, runId }, 'the rounds of the case could not be written to files');
  }
}

/** Writes a file that no reader sees unfinished, also if the same case is written twice concurrently. */
async function writeComplete(path: string, content: string): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`;
  await writeFile(draft, content);
  await rename(draft, path);
}

import { InvalidInput, packError, type PackedError, type TaskModule } from '@casefile/contracts';
import { PageKeeper } from '../pages.js';
import { readRunbook, withoutFrontMatter, type RunbookFile } from './read-runbook.js';
import type { RunbookInput } from './runbook-base.js';

/** Files whose bytes follow one another. */
export interface ReadRunbooksArgs {
  files: (Omit<RunbookFile, 'bytes'> & { size: number })[];
}

/** Files without a valid runbook, by their position, and their errors. */
export type WrongRunbooks = { index: number; error: PackedError }[];

/** Reads runbooks, as a task. An invalid file affects only itself. */
export const run: TaskModule<ReadRunbooksArgs, WrongRunbooks, RunbookInput[]>['run'] = async (
  bytes,
  { files },
  { keep },
) => {
  const wrong: WrongRunbooks = [];
  const sources = new Map<string, string>();
  const pages = new PageKeeper(keep);
  let from = 0;
  for (const [index, { size, ...file }] of files.entries()) {
    const found = { ...file, bytes: bytes.subarray(from, (from += size)) };
    if (isSectionPage(found)) continue;
    try {
      const runbook = readRunbook(found);
      const other = sources.get(runbook.name);
      if (other !== undefined) {
        const message = `would be the runbook ${runbook.name}, as ${other} is`;
        throw new InvalidInput([{ path: 'name', message }], 'runbook');
      }
      sources.set(runbook.name, runbook.source);
      pages.add(runbook, size);
    } catch (error) {
      wrong.push({ index, error: packError(error) });
    }
  }
  pages.end();
  return wrong;
};

/** Site generators keep the title of a folder in a file with front matter only. */
function isSectionPage({ name, bytes }: RunbookFile): boolean {
  if (!/(?:^|[/\\])_index\.\w+$/i.test(name)) return false;
  return withoutFrontMatter(new TextDecoder().decode(bytes)).text.trim() === '';
}

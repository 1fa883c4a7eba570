import { InvalidInput, type PolicyFormat } from '@casefile/contracts';
import { DOCUMENT_EXTENSIONS } from '@casefile/runtime';
import { openStore } from '../open-store.js';
import { oneLine } from '../output/escape.js';
import { progressOf } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';
import { findDocuments, type PolicyFile } from './find-documents.js';
import { importPolicyFile, whatIsWrong, type ImportedPolicy } from './import-policies.js';
import { summarise, type Summaries, type Summarised, type SummaryChoice } from './summaries.js';

/** What `import policy` was told beside the path. */
export interface ImportOptions {
  id?: string;
  title?: string;
  language?: string;
  format?: PolicyFormat;
  confidential?: string[];
  summaries?: SummaryChoice;
  json?: boolean;
}

/** Imports every document at a path and tells of each. Answers how many could not be taken. */
export async function importDocuments(
  path: string,
  options: ImportOptions,
  terminal: Terminal,
): Promise<number> {
  const files = named(await findDocuments(path, DOCUMENT_EXTENSIONS), options);
  const store = await openStore();
  try {
    return await importAll(files, options, {
      store,
      summaries: writerOf(store.summaries, options),
      terminal,
    });
  } finally {
    await store.close();
  }
}

function named(files: PolicyFile[], { id, title }: ImportOptions): PolicyFile[] {
  if (files.length > 1 && (id !== undefined || title !== undefined))
    throw new InvalidInput(
      [
        {
          path: id === undefined ? '--title' : '--id',
          message: `is for one file, and these are ${files.length}`,
        },
      ],
      'command',
    );
  return files.map((file) => ({ ...file, policyId: id ?? file.policyId }));
}

// A model that only answers by rules is asked when it is wanted, not by itself.
function writerOf(summaries: Summaries | null, options: ImportOptions): Summaries | null {
  if (options.summaries === 'extract') return null;
  if (options.summaries === undefined) return summaries?.byDefault === true ? summaries : null;
  if (summaries !== null) return summaries;
  throw new InvalidInput([{ path: '--summaries', message: 'no language model is configured' }], 'command');
}

interface Importing {
  store: Awaited<ReturnType<typeof openStore>>;
  /** Who writes summaries; null: they are extracted. */
  summaries: Summaries | null;
  terminal: Terminal;
}

/** A document, and its summaries when a model wrote some. */
interface Done {
  imported: ImportedPolicy;
  summarised: Summarised | null;
}

/** Parts of the bar a file has: pages of a long one move it. */
const PARTS = 100;

async function importAll(
  files: readonly PolicyFile[],
  options: ImportOptions,
  { store, summaries, terminal }: Importing,
): Promise<number> {
  const progress = progressOf(terminal, 'importing', files.length * PARTS);
  const all: Done[] = [];
  try {
    for (const file of files) {
      const from = all.length * PARTS;
      const imported = await importPolicyFile(store.policies, file, options, (page, pages) =>
        progress.to(from + (page / pages) * (PARTS - 1)),
      );
      all.push({ imported, summarised: null });
      progress.to(all.length * PARTS);
    }
    progress.end();
    if (summaries !== null) await summariseAll(all, summaries, terminal);
  } finally {
    // Also of a cut-off import: what is in is in.
    progress.end();
    for (const done of all) say(done, options, terminal);
  }
  return all.filter(({ imported }) => 'error' in imported).length;
}

async function summariseAll(all: readonly Done[], summaries: Summaries, terminal: Terminal): Promise<void> {
  for (const done of all) {
    if ('error' in done.imported) continue;
    done.summarised = await summarise(summaries, done.imported, terminal);
  }
}

function say({ imported, summarised }: Done, { json }: ImportOptions, terminal: Terminal): void {
  const { path, policyId } = imported;
  if ('error' in imported) {
    const { reasonCode } = imported.error;
    const message = whatIsWrong(imported.error);
    if (json) terminal.out(JSON.stringify({ path, policyId, error: { reasonCode, message } }));
    else terminal.err(oneLine(`${path}: ${message}`));
    return;
  }
  if (json) return terminal.out(JSON.stringify({ ...imported, summaries: summarised }));
  const { outcome, version, sections, language } = imported;
  const line = `${outcome.padEnd(9)}  ${policyId}  version ${version}, ${sections} sections, ${language}`;
  const by = summarised === null ? '' : `, ${summarised.written} summaries by ${summarised.model}`;
  terminal.out(oneLine(`${line}${by}`));
}

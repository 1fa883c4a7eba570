import { InvalidInput, POLICY_FORMATS, type PolicyFormat } from '@casefile/contracts';
import { DOCUMENT_EXTENSIONS } from '@casefile/runtime';
import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { openStore } from '../open-store.js';
import { oneLine } from '../output/escape.js';
import { progressOf } from '../output/progress.js';
import type { Terminal } from '../output/terminal.js';
import { findDocuments, type PolicyFile } from '../policies/find-documents.js';
import { importPolicyFile, whatIsWrong, type ImportedPolicy } from '../policies/import-policies.js';
import { summarise, type Summaries, type Summarised, type SummaryChoice } from '../policies/summaries.js';

interface Options {
  id?: string;
  title?: string;
  language?: string;
  format?: PolicyFormat;
  summaries?: SummaryChoice;
  json?: boolean;
}

/** `casefile import policy FILE|FOLDER` */
export function addImportPolicy(imports: Command, { terminal, end }: CommandContext): void {
  imports
    .command('policy')
    .description('import policy documents: each as a whole or not at all; run again, it goes on where it was')
    .argument('<path>', `a file, or a folder of files (${DOCUMENT_EXTENSIONS.join(', ')})`)
    .option('--id <id>', 'id of the policy; without it, the name of the file')
    .option('--title <title>', 'title; without it, what the document says')
    .option(
      '--language <code>',
      'language (BCP 47: en, de, hi); without it, what the document and its words say',
    )
    .addOption(
      new Option('--format <format>', 'format; without it, what the name says').choices(POLICY_FORMATS),
    )
    .addOption(
      new Option(
        '--summaries <by>',
        'who writes summaries of the sections; without it, the model when one is configured',
      ).choices(['model', 'extract']),
    )
    .option('--json', 'print one JSON object a document')
    .action(async (path: string, options: Options) => {
      const files = named(await findDocuments(path, DOCUMENT_EXTENSIONS), options);
      const store = await openStore();
      try {
        const summaries = writerOf(store.summaries, options);
        const failed = await importAll(files, options, { store, summaries, terminal });
        end(failed === 0 ? EXIT.ok : EXIT.failed);
      } finally {
        await store.close();
      }
    });
}

function named(files: PolicyFile[], { id, title }: Options): PolicyFile[] {
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
function writerOf(summaries: Summaries | null, options: Options): Summaries | null {
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
  options: Options,
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

function say({ imported, summarised }: Done, { json }: Options, terminal: Terminal): void {
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

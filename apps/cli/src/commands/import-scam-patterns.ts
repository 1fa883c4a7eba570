import { CasefileError, InvalidInput, type ScamPattern } from '@casefile/contracts';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import type { OpenStore, PatternsImported } from '../open-store.js';
import type { Terminal } from '../output/terminal.js';
import { patternOfCase } from '../scam-patterns/pattern-of-case.js';
import { readScamPatterns } from '../scam-patterns/read-scam-patterns.js';

interface Given {
  case?: string;
  scamType?: string;
  title?: string;
  embedAgain?: boolean;
  json?: boolean;
}

/** `casefile import scam-patterns FILE`, or a confirmed verdict: `--case ID --scam-type NAME`. */
export function addImportScamPatterns(imports: Command, { terminal, end }: CommandContext): void {
  imports
    .command('scam-patterns')
    .description('import known scam patterns: all of a file, or nothing when a line is wrong')
    .argument('[file]', 'JSON array, or CSV with a header line; - for standard input')
    .option('--case <id>', 'in place of a file: the message of a case whose verdict you confirm')
    .option('--scam-type <name>', 'of that case, for example authority_impersonation')
    .option('--title <text>', 'of that case; else the beginning of its message')
    .option('--embed-again', 'make the vectors of all patterns again')
    .option('--json', 'print the counts as JSON')
    .action(async (file: string | undefined, given: Given) => {
      // What is wrong in a file is said before a database is opened.
      const patterns = file === undefined ? null : await readScamPatterns(file);
      const { openStore } = await import('../open-store.js');
      const store = await openStore();
      try {
        const imported = await store.importScamPatterns(
          patterns ?? [await confirmed(store, given)],
          terminal,
          given.embedAgain ?? false,
        );
        tell(imported, terminal, given.json ?? false);
        end(imported.embeddingFailure === null ? EXIT.ok : EXIT.failed);
      } finally {
        await store.close();
      }
    });
}

async function confirmed(store: OpenStore, { case: caseId, scamType, title }: Given): Promise<ScamPattern> {
  if (caseId === undefined || scamType === undefined) {
    const message = 'expected a file, or a case with its --scam-type';
    throw new InvalidInput(
      [{ path: caseId === undefined ? 'file' : '--scam-type', message }],
      'command line',
    );
  }
  const found = await store.getCase(caseId);
  if (found === null) throw new CasefileError('unknown_case', `no case has the id ${caseId}`);
  return patternOfCase(found, { scamType, title });
}

function tell(
  { embeddingFailure: failure, ...counts }: PatternsImported,
  terminal: Terminal,
  json: boolean,
): void {
  const { inserted, replaced, unchanged, revision, embedded } = counts;
  const failed = failure === null ? {} : { embeddingFailure: failure.reasonCode };
  const line = `${inserted} new, ${replaced} replaced, ${unchanged} unchanged; revision ${revision}; ${embedded} texts embedded`;
  terminal.out(json ? JSON.stringify({ ...counts, ...failed }) : line);
  if (failure !== null)
    terminal.err(
      `casefile: the patterns are in, but not all have their vectors (${failure.reasonCode}: ${failure.message}); the rest is made at the next import or look-up`,
    );
}

import { writeFile } from 'node:fs/promises';
import { type CaseList } from '@casefile/contracts';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { writeLines } from '../output/write-lines.js';
import type { Terminal } from '../output/terminal.js';
import { erasedCases } from './erase.js';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import { wrongOption } from './option-values.js';

interface IterationOptions extends ConsoleOptions {
  filter?: string[];
  out?: string;
}

const FACTS = ['playbook', 'status', 'from', 'to'] as const;
/** Cases per page of the list. */
const PAGE = 200;

/** `casefile export iterations CASE DIR`, `... iterations --filter`, `... decision CASE`, `... erasures` */
export function addExport(program: Command, { terminal, end }: CommandContext): void {
  const exporting = program.command('export').description('write parts of the record to files');
  const command = exporting
    .command('iterations')
    .description('write the rounds of a case to a new folder, or those of many cases as JSON Lines')
    .argument('[case]', 'id of the case, or a unique prefix or suffix of it')
    .argument('[folder]', 'parent of the new folder')
    .option('--filter <fact=value...>', `instead of a case: cases by ${FACTS.join(', ')}; one line per round`)
    .option('--out <file>', 'with --filter: new file for the lines; default: standard output');
  consoleOptions(command, 'print what was written as one JSON object').action(
    async (caseId: string | undefined, folder: string | undefined, options: IterationOptions) => {
      const { filter, out } = options;
      if (filter !== undefined && caseId === undefined) return exportMany(filter, options, { terminal, end });
      if (caseId === undefined || folder === undefined || filter !== undefined || out !== undefined)
        throw wrongOption('', 'expected either CASE and FOLDER, or --filter with or without --out');
      const client = await connectConsole(options);
      const shownCase = await client.getCase(await client.wholeId(caseId));
      // The kinds are loaded only by this command.
      const { writeIterations } = await import('../output/iteration-folder.js');
      const { KindParts } = await import('../kinds.js');
      const { own, names } = await writeIterations(shownCase, folder, await KindParts.load());
      print(terminal, options, { folder: own, files: names }, () =>
        [own, ...names.map((name) => `  ${name}`)].map(oneLine),
      );
      end(names.length > 0 ? EXIT.ok : EXIT.failed);
    },
  );
  addExportDecision(exporting, terminal);
  addExportErasures(exporting, terminal);
}

/** Writes a line per round of each case that the filter selects, newest case first, page by page. */
async function exportMany(
  filter: string[],
  { out, ...options }: IterationOptions,
  { terminal, end }: Pick<CommandContext, 'terminal' | 'end'>,
): Promise<void> {
  const facts = readFacts(filter);
  if (out === undefined && options.json === true) throw wrongOption('--json', 'expected --out as well');
  const client = await connectConsole(options);
  const { iterationObjects } = await import('../output/iteration-folder.js');
  const { KindParts } = await import('../kinds.js');
  const kinds = await KindParts.load();
  let [cases, lines] = [0, 0];
  await writeLines(out, terminal, async (write) => {
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: CaseList = await client.get('/cases', { query: { ...facts, limit: PAGE, cursor } });
      for (const { caseId } of page.cases) {
        const rounds = iterationObjects(await client.getCase(caseId), kinds);
        for (const round of rounds) await write(JSON.stringify(round));
        cases += rounds.length > 0 ? 1 : 0;
        lines += rounds.length;
      }
      cursor = page.nextCursor;
    }
  });
  const about = `${lines} rounds of ${cases} cases`;
  if (out === undefined) terminal.err(`casefile: ${about}`);
  else print(terminal, options, { file: out, cases, rounds: lines }, () => [oneLine(`${out}  ${about}`)]);
  end(lines > 0 ? EXIT.ok : EXIT.failed);
}

function readFacts(filter: readonly string[]): Record<string, string> {
  const facts: Record<string, string> = {};
  for (const text of filter) {
    const at = text.indexOf('=');
    const name = FACTS.find((fact) => fact === text.slice(0, Math.max(0, at)));
    if (name === undefined)
      throw wrongOption('--filter', `expected ${FACTS.join(', ')}, each with =value, got ${text}`);
    facts[name] = text.slice(at + 1);
  }
  return facts;
}

function addExportDecision(exporting: Command, terminal: Terminal): void {
  const command = exporting
    .command('decision')
    .description('write everything on the record of a case as one signed file, for `casefile verify`')
    .argument('<case>', 'id of the case, or a unique prefix or suffix of it')
    .option('--out <file>', 'file to write; default: decision-CASE.json in this folder');
  consoleOptions(command, 'print what was written as one JSON object').action(
    async (part: string, { out, ...options }: ConsoleOptions & { out?: string }) => {
      const client = await connectConsole(options);
      const caseId = await client.wholeId(part);
      const signed = await client.get('/cases/{caseId}/decision-file', { params: { caseId } });
      // Loaded only by commands that need it.
      const { decisionText, keyFingerprint } = await import('@casefile/runtime');
      const file = out ?? `decision-${caseId}.json`;
      await writeFile(file, decisionText(signed));
      const key = keyFingerprint(signed.signature.publicKey);
      print(terminal, options, { file, records: signed.records.length, key }, () => [
        oneLine(`${file}  ${signed.records.length} records, signed with ${key}`),
        oneLine(`To check it anywhere: casefile verify ${file} --key ${key}`),
      ]);
    },
  );
}

function addExportErasures(exporting: Command, terminal: Terminal): void {
  const command = exporting
    .command('erasures')
    .description(
      'write which cases were erased as JSON Lines, to repeat it after a restore: casefile erase --again',
    )
    .requiredOption('--out <file>', 'new file for the lines');
  consoleOptions(command, 'print what was written as one JSON object').action(
    async ({ out, ...options }: ConsoleOptions & { out: string }) => {
      const client = await connectConsole(options);
      let count = 0;
      await writeLines(out, terminal, async (write) => {
        for await (const one of erasedCases(client)) {
          await write(JSON.stringify(one));
          count += 1;
        }
      });
      print(terminal, options, { file: out, erasures: count }, () => [
        oneLine(`${count} erasures in ${out}`),
      ]);
    },
  );
}

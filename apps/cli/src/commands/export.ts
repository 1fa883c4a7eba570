import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '../output/escape.js';
import type { Terminal } from '../output/terminal.js';
import { consoleOf, consoleOptions, print, type ConsoleOptions } from './options.js';

/** `casefile export iterations CASE DIR`, `casefile export decision CASE` */
export function addExport(program: Command, { terminal, end }: CommandContext): void {
  const exporting = program.command('export').description('write parts of the record to files');
  const command = exporting
    .command('iterations')
    .description('write the rounds and a summary of a case to a new folder')
    .argument('<case>', 'id of the case, or a unique prefix or suffix of it')
    .argument('<folder>', 'parent of the new folder');
  consoleOptions(command, 'print what was written as one JSON object').action(
    async (caseId: string, folder: string, options: ConsoleOptions) => {
      const client = await consoleOf(options);
      const shown = await client.getCase(await client.wholeId(caseId));
      // The kinds are loaded only by this command.
      const { writeIterations } = await import('../output/iteration-folder.js');
      const { own, names } = await writeIterations(shown, folder);
      print(terminal, options, { folder: own, files: names }, () =>
        [own, ...names.map((name) => `  ${name}`)].map(oneLine),
      );
      end(names.length > 0 ? EXIT.ok : EXIT.failed);
    },
  );
  addExportDecision(exporting, terminal);
}

function addExportDecision(exporting: Command, terminal: Terminal): void {
  const command = exporting
    .command('decision')
    .description('write everything on the record of a case as one signed file, for `casefile verify`')
    .argument('<case>', 'id of the case, or a unique prefix or suffix of it')
    .option('--out <file>', 'file to write; default: decision-CASE.json in this folder');
  consoleOptions(command, 'print what was written as one JSON object').action(
    async (part: string, { out, ...options }: ConsoleOptions & { out?: string }) => {
      const client = await consoleOf(options);
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

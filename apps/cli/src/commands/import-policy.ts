import { POLICY_FORMATS } from '@casefile/contracts';
import { Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import type { ImportOptions } from '../policies/import-documents.js';

/** `casefile import policy FILE|FOLDER` */
export function addImportPolicy(imports: Command, { terminal, end }: CommandContext): void {
  imports
    .command('policy')
    .description(
      'import policy documents: each as a whole or not at all; run again, it continues after the last one',
    )
    .argument('<path>', 'a file, or a folder of files: Markdown, HTML, plain text, PDF')
    .option('--id <id>', 'id of the policy; without it, the name of the file')
    .option('--title <title>', 'title; without it, what the document says')
    .option(
      '--language <code>',
      'language (BCP 47: en, de, hi); without it, what the document and its words say',
    )
    .option(
      '--confidential <sections...>',
      'sections whose words stay on the record: titles, numbers (16.1) or ids, or all; besides those that the document marks',
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
    .action(async (path: string, options: ImportOptions) => {
      // Loaded for this command alone: the others start at once.
      const { importDocuments } = await import('../policies/import-documents.js');
      end((await importDocuments(path, options, terminal)) === 0 ? EXIT.ok : EXIT.failed);
    });
}

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InvalidInput, parseInput, z } from '@casefile/contracts';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { evaluationOf, type SameCategories } from '../eval/evaluation.js';
import { evaluationLines } from '../eval/evaluation-lines.js';
import { FORMATS, readDataset, type Format } from '../eval/read-dataset.js';
import { EXIT } from '../exit-code.js';
import { manyLines } from '../output/escape.js';
import { readJsonFile } from '../read-input-file.js';

interface Given {
  playbook: string;
  dataset: string;
  strategy?: string;
  format?: Format;
  limit?: number;
  categories?: string;
  results: string;
  atOnce: number;
  json?: boolean;
}

/** Playbooks whose verdicts have what is measured. */
const MEASURED = ['message-screening'];
const sameSchema: z.ZodType<SameCategories> = z.record(z.string(), z.array(z.string()));

/** `casefile eval --dataset FILE` */
export function addEval(program: Command, { terminal, end }: CommandContext): void {
  program
    .command('eval')
    .description('judge labelled messages and measure the verdicts; nothing goes on the record')
    .requiredOption(
      '--dataset <path>',
      'JSONL, SMS lines (ham|spam, a tab, the text), or the SpamAssassin package folder',
    )
    .option('--playbook <name>', 'kind of case', 'message-screening')
    .option('--strategy <name>', 'how to reason, in place of the playbook’s own')
    .addOption(new Option('--format <name>', 'of the dataset; else told by its name').choices(FORMATS))
    .option('--limit <number>', 'at most so many messages, spread evenly', count)
    .option('--categories <file>', 'JSON: for a label’s category, its names in the knowledge base')
    .option(
      '--results <file>',
      'where results are kept, to go on from',
      join('.casefile', 'eval-results.jsonl'),
    )
    .option('--at-once <number>', 'messages under way at once', count, 8)
    .option('--json', 'print the measures as JSON')
    .action(async (given: Given) => {
      if (!MEASURED.includes(given.playbook))
        throw new InvalidInput(
          [{ path: '--playbook', message: `only these can be measured: ${MEASURED.join(', ')}` }],
          'command line',
        );
      const messages = await readDataset(given.dataset, given.format ?? null, given.limit ?? null);
      const same = await readCategories(given);
      const over = new AbortController();
      const stop = () => over.abort();
      process.once('SIGINT', stop);
      try {
        // Loaded for this command alone: the others start at once.
        const { evaluate } = await import('../eval/evaluate.js');
        const { playbook, atOnce, results: resultsFile, strategy = null } = given;
        const judged = await evaluate(
          messages,
          { playbook, strategy, atOnce, resultsFile, signal: over.signal },
          terminal,
        );
        const found = evaluationOf(judged, same);
        for (const line of given.json ? [JSON.stringify(found)] : evaluationLines(found).map(manyLines))
          terminal.out(line);
        if (judged.length < messages.length)
          terminal.err(
            `casefile: broken off after ${judged.length} of ${messages.length}; the same command goes on`,
          );
        end(judged.length < messages.length ? EXIT.failed : EXIT.ok);
      } finally {
        process.off('SIGINT', stop);
      }
    });
}

// Beside a dataset that brings its own.
async function readCategories({ categories, dataset }: Given): Promise<SameCategories> {
  if (categories !== undefined) return parseInput(sameSchema, await readJsonFile(categories), 'categories');
  const own = join(dirname(dataset), 'categories.json');
  return existsSync(own) ? parseInput(sameSchema, await readJsonFile(own), 'categories') : {};
}

function count(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError('expected a whole number, 1 or more');
}

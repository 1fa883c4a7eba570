import { join } from 'node:path';
import { InvalidInput } from '@casefile/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import type { DatasetKind, DatasetOptions } from '../eval/dataset.js';
import { EXIT } from '../exit-code.js';
import { manyLines } from '../output/escape.js';

interface Given extends DatasetOptions {
  playbook: string;
  dataset?: string;
  strategy?: string;
  results: string;
  atOnce: number;
  json?: boolean;
}

/** `casefile eval --playbook NAME --dataset FILE` */
export function addEval(program: Command, { terminal, end }: CommandContext): void {
  program
    .command('eval')
    .description('judge a labelled set and measure the verdicts; nothing goes on the record')
    .option(
      '--dataset <path>',
      'message-screening: JSONL, SMS lines (ham|spam, a tab, the text), or the SpamAssassin package folder; policy-check: JSON, without it the bundled cases',
    )
    .option('--playbook <name>', 'kind of case', 'message-screening')
    .option('--strategy <name>', 'how to reason, in place of the playbook’s own')
    .option('--format <name>', 'of a dataset of messages (jsonl, sms, spam-assassin); else told by its name')
    .option('--limit <number>', 'at most so many, spread evenly', count)
    .option('--categories <file>', 'JSON: for a message’s category, its names in the knowledge base')
    .option(
      '--results <file>',
      'where results are kept, to go on from',
      join('.casefile', 'eval-results.jsonl'),
    )
    .option('--at-once <number>', 'cases under way at once', count, 8)
    .option('--json', 'print the measures as JSON')
    .action(async (given: Given) => {
      // Loaded for this command alone: the others start at once.
      const { kindOf } = await import('../eval/kinds.js');
      const { evaluate } = await import('../eval/evaluate.js');
      const kind = kindOf(given.playbook);
      const dataset = await kind.read(pathOf(given, kind), given);
      const over = new AbortController();
      const stop = () => over.abort();
      process.once('SIGINT', stop);
      try {
        const { playbook, atOnce, results: resultsFile, strategy = null } = given;
        const options = { playbook, strategy, atOnce, resultsFile, signal: over.signal };
        const judged = await evaluate(dataset, options, terminal);
        const { found, lines } = dataset.measure(judged);
        for (const line of given.json ? [JSON.stringify(found)] : lines.map(manyLines)) terminal.out(line);
        const missing = dataset.items.length - judged.length;
        if (missing > 0)
          terminal.err(
            `casefile: broken off after ${judged.length} of ${dataset.items.length} ${kind.items}; the same command goes on`,
          );
        end(missing > 0 ? EXIT.failed : EXIT.ok);
      } finally {
        process.off('SIGINT', stop);
      }
    });
}

/** @throws InvalidInput when no set is named where one has to be, or an option is for another kind of set. */
function pathOf(given: Given, { playbook, bundled, options }: DatasetKind): string {
  const others = (['format', 'categories'] as const).filter(
    (name) => given[name] !== undefined && !options.includes(name),
  );
  const problems = others.map((name) => ({ path: `--${name}`, message: `is nothing to ${playbook}` }));
  const path = given.dataset ?? bundled;
  if (path === null) problems.push({ path: '--dataset', message: `expected a labelled set for ${playbook}` });
  if (path === null || problems.length > 0) throw new InvalidInput(problems, 'command line');
  return path;
}

function count(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError('expected a whole number, 1 or more');
}

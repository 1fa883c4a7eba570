import type { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { writeLines } from '../output/write-lines.js';
import { connectConsole, consoleOptions, type ConsoleOptions } from './options.js';

interface LabelOptions extends ConsoleOptions {
  playbook: string;
  strategy?: string;
  prompts?: string;
  model?: string;
  language?: string;
  confidenceSource?: string;
  from?: string;
  to?: string;
  out?: string;
}

/** `casefile quality labels`: the labels of a kind with their alerts, which need a request per case */
export function addLabels(program: Command, { terminal, end }: CommandContext): void {
  const labels = program
    .command('quality')
    .command('labels')
    .description('print the labels of verdicts with their alerts, as lines of JSON')
    .requiredOption('--playbook <name>', 'kind of the cases')
    .option('--strategy <name>', 'strategy of the runs')
    .option('--prompts <ids>', 'ids of the prompts, sorted, with commas between them')
    .option('--model <name>', 'model of the runs')
    .option('--language <code>', 'language of the message; none: not recorded')
    .option('--confidence-source <source>', 'who stated the confidence, such as llm')
    .option('--from <time>', 'decided at or after this ISO 8601 time (default: 90 days ago)')
    .option('--to <time>', 'decided before this ISO 8601 time (default: now)')
    .option('--out <file>', 'new file to write to (default: standard output)');
  consoleOptions(labels, 'no effect: the lines are JSON').action(
    async ({ console, json: _json, out, ...query }: LabelOptions) => {
      const client = await connectConsole({ console });
      const answer = await client.get('/quality/labels', { query });
      await writeLines(out, terminal, async (write) => {
        for (const label of answer.labels) {
          const { alerts } = await client.getCase(label.caseId);
          await write(JSON.stringify({ ...label, alert: alerts[0] ?? null }));
        }
      });
      if (out !== undefined) terminal.out(oneLine(`${answer.labels.length} labels written to ${out}`));
      if (!answer.isComplete) terminal.err('There are older labels: choose an earlier --to.');
      end(EXIT.ok);
    },
  );
}

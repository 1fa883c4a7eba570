import { basename, join } from 'node:path';
import { InvalidInput } from '@casefile/contracts';
import { finishAtEnd } from '@casefile/runtime/process-end';
import { InvalidArgumentError, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import type { DatasetKind, DatasetOptions, Measures } from '../eval/dataset.js';
import { EXIT } from '../exit-code.js';
import { EVAL_HELP } from '../kinds/eval-help.js';
import { manyLines, oneLine } from '../output/escape.js';
import { runningConsole, type SystemOptions } from '../running-console.js';
import { httpAddress } from './options.js';
import type { EvalRun, EvalSystem } from '../eval/eval-system.js';

/** Cases under way when the command is broken off have this long to end. In milliseconds. */
const FINISH_WITHIN_MS = 10_000;

interface Given extends DatasetOptions, SystemOptions {
  playbook: string;
  dataset?: string;
  strategy?: string;
  results: string;
  atOnce: number;
  json?: boolean;
}

const DATASETS = EVAL_HELP.flatMap(({ playbook, dataset }) =>
  dataset === null ? [] : [`${playbook}: ${dataset}`],
).join('; ');

/** `casefile eval --playbook NAME --dataset FILE` */
export function addEval(program: Command, { terminal, end }: CommandContext): void {
  const [{ playbook: first }] = EVAL_HELP;
  const command = program
    .command('eval')
    .description(
      'judge a labelled data set in the running system, or here if none runs, and measure the verdicts; its cases stay on the record, apart from the others',
    )
    .option('--dataset <path>', DATASETS)
    .option('--playbook <name>', 'kind of case', first)
    .option('--strategy <name>', 'strategy to use instead of the playbook’s own')
    .option('--limit <number>', 'at most so many, spread evenly', count);
  for (const [flags, description] of EVAL_HELP.flatMap(({ options }) => options))
    command.option(flags, description);
  command
    .option(
      '--results <file>',
      'where results are kept, to go on from',
      join('.casefile', 'eval-results.jsonl'),
    )
    .option('--direct', 'judge here, with the settings and the database of this environment')
    .option('--console <url>', 'address of the console', httpAddress)
    .option('--at-once <number>', 'cases under way at once', count, 8)
    .option('--json', 'print the measures as JSON')
    .action((given: Given) =>
      finishAtEnd(FINISH_WITHIN_MS, async (signal) => {
        // Loaded for this command alone: the others start at once.
        const { kindOf } = await import('../kinds/index.js');
        const { evaluate } = await import('../eval/evaluate.js');
        const kind = kindOf(given.playbook);
        const path = pathOf(given, kind);
        const print = ({ found, lines }: Measures) => {
          for (const line of given.json ? [JSON.stringify(found)] : lines.map(manyLines)) terminal.out(line);
        };
        if (given.lookUps && kind.lookUps !== undefined) {
          print(await kind.lookUps(path, given, signal, terminal));
          return end(EXIT.ok);
        }
        const dataset = await kind.read(path, given);
        const { playbook, atOnce, results: resultsFile, strategy = null } = given;
        const note = (line: string) => terminal.err(oneLine(line));
        const system = await systemOf(given, { playbook, dataset: basename(path), strategy, signal, note });
        const judged = await evaluate(dataset, system, { atOnce, resultsFile, signal }, terminal).finally(
          () => system.close(),
        );
        print(dataset.measure(judged));
        const missing = dataset.items.length - judged.length;
        if (missing > 0)
          terminal.err(
            `casefile: broken off after ${judged.length} of ${dataset.items.length} ${kind.items}; the same command goes on`,
          );
        end(missing > 0 ? EXIT.failed : EXIT.ok);
      }),
    );
}

async function systemOf(where: SystemOptions, run: EvalRun): Promise<EvalSystem> {
  const consoleUrl = await runningConsole(where);
  if (consoleUrl === null) return (await import('../eval/direct-system.js')).directSystem(run);
  return (await import('../eval/console-system.js')).consoleSystem(consoleUrl, run);
}

/** @throws InvalidInput when no set is named where one has to be, or an option is for another kind of set. */
function pathOf(given: Given, { playbook, bundled, options }: DatasetKind): string {
  const others = (['format', 'categories', 'lookUps', 'patterns'] as const).filter(
    (name) => given[name] !== undefined && !options.includes(name),
  );
  const problems = others.map((name) => ({
    path: name === 'lookUps' ? '--look-ups' : `--${name}`,
    message: `is nothing to ${playbook}`,
  }));
  if (given.patterns !== undefined && given.lookUps !== true)
    problems.push({ path: '--patterns', message: 'goes with --look-ups' });
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

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

/** Time that running cases have to end after the command is interrupted, in milliseconds. */
const FINISH_WITHIN_MS = 10_000;

interface EvalCommandOptions extends DatasetOptions, SystemOptions {
  playbook: string;
  dataset?: string;
  set?: string;
  strategy?: string;
  rules?: boolean;
  out?: string;
  results: string;
  atOnce: number;
  json?: boolean;
}

const DATASETS = EVAL_HELP.flatMap(({ playbook, dataset }) =>
  dataset === null ? [] : [`${playbook}: ${dataset}`],
).join('; ');

/** `casefile eval --playbook NAME --set NAME` */
export function addEval(program: Command, { terminal, end }: CommandContext): void {
  const [{ playbook: first }] = EVAL_HELP;
  const command = program
    .command('eval')
    .description(
      'judge a labelled data set in the running system, or in this process if none runs, and measure the verdicts; its cases are stored separately from others',
    )
    .option('--playbook <name>', 'kind of case', first)
    .option('--set <name>', 'bundled labelled set. Default: the kind’s first set')
    .option('--dataset <path>', `a labelled set of your own. ${DATASETS}`)
    .option('--strategy <name>', 'strategy to use instead of the playbook’s own')
    .option('--rules', 'judge by the kind’s rules, without a model')
    .option('--limit <number>', 'maximum number of items, spread evenly over the set', count);
  for (const [flags, description] of EVAL_HELP.flatMap(({ options }) => options))
    command.option(flags, description);
  command
    .option(
      '--results <file>',
      'file that keeps the results; a later command with this file continues from them',
      join('.casefile', 'eval-results.jsonl'),
    )
    .option('--direct', 'judge in this process, with the settings and the database of this environment')
    .option('--console <url>', 'URL of the console', httpAddress)
    .option('--at-once <number>', 'cases that are judged concurrently', count, 8)
    .option('--out <folder>', 'folder for a file with the result and an index of all results')
    .option('--json', 'print the measures as JSON')
    .action((given: EvalCommandOptions) =>
      finishAtEnd(FINISH_WITHIN_MS, async (signal) => {
        // Loaded only by this command, so that other commands start fast.
        const { kindOf, rulesOf } = await import('../kinds/index.js');
        const { evaluate } = await import('../eval/evaluate.js');
        const kind = kindOf(given.playbook);
        const source = evalSourceOption(given, kind);
        const print = ({ found, lines }: Measures) => {
          for (const line of given.json ? [JSON.stringify(found)] : lines.map(manyLines)) terminal.out(line);
        };
        if (given.lookUps && kind.lookUps !== undefined) {
          print(await kind.lookUps(source.path, given, signal, terminal));
          return end(EXIT.ok);
        }
        const dataset = await kind.read(source.path, given);
        const { playbook, atOnce, results: resultsFile } = given;
        const strategy = given.rules ? rulesOf(playbook) : (given.strategy ?? null);
        const note = (line: string) => terminal.err(oneLine(line));
        const system = await openEvalSystem(given, {
          playbook,
          dataset: source.name,
          strategy,
          signal,
          note,
        });
        const judged = await evaluate(dataset, system, { atOnce, resultsFile, signal }, terminal).finally(
          () => system.close(),
        );
        const { keepResult, resultLines, resultOfRun } = await import('../eval/results-folder.js');
        const { settings } = system;
        const command = reproducingCommand(given, source);
        const result = await resultOfRun(judged, dataset, { ...source, kind: playbook, command, settings });
        const { found, lines } = dataset.measure(judged);
        print({ found: { ...found, result }, lines: [...lines, ...resultLines(result)] });
        const missing = dataset.items.length - judged.length;
        if (missing > 0)
          terminal.err(
            `casefile: interrupted after ${judged.length} of ${dataset.items.length} ${kind.items}; run the same command to continue`,
          );
        else if (given.out !== undefined) note(`casefile: wrote ${await keepResult(given.out, result)}`);
        end(missing > 0 ? EXIT.failed : EXIT.ok);
      }),
    );
}

async function openEvalSystem(where: SystemOptions, run: EvalRun): Promise<EvalSystem> {
  const consoleUrl = await runningConsole(where);
  if (consoleUrl === null) return (await import('../eval/direct-system.js')).directSystem(run);
  return (await import('../eval/console-system.js')).consoleSystem(consoleUrl, run);
}

/** The labelled set to judge. `name` is the name of its cases on the record. */
interface EvalSource {
  name: string;
  /** Name of the set in the results; for a file, the file's name. */
  set: string;
  path: string;
}

/** @throws InvalidInput if the kind has no set of this name, or an option belongs to another kind. */
function evalSourceOption(given: EvalCommandOptions, { playbook, sets, options }: DatasetKind): EvalSource {
  const others = (['format', 'categories', 'lookUps', 'patterns'] as const).filter(
    (name) => given[name] !== undefined && !options.includes(name),
  );
  const problems = others.map((name) => ({
    path: name === 'lookUps' ? '--look-ups' : `--${name}`,
    message: `is not an option of ${playbook}`,
  }));
  if (given.patterns !== undefined && given.lookUps !== true)
    problems.push({ path: '--patterns', message: 'requires --look-ups' });
  if (given.set !== undefined && given.dataset !== undefined)
    problems.push({ path: '--set', message: 'cannot be used with --dataset' });
  if (given.rules && given.strategy !== undefined)
    problems.push({ path: '--rules', message: 'cannot be used with --strategy' });
  const [first] = sets;
  const found = sets.find(({ name }) => name === (given.set ?? first.name));
  if (found === undefined) {
    const known = sets.map(({ name, about }) => `${name} (${about})`).join(', ');
    problems.push({ path: '--set', message: `expected one of ${known}, or --dataset with a file` });
  }
  if (found === undefined || problems.length > 0) throw new InvalidInput(problems, 'command line');
  if (given.dataset !== undefined) {
    const file = basename(given.dataset);
    return { name: file, set: file, path: given.dataset };
  }
  return { name: `${playbook}-${found.name}`, set: found.name, path: found.path };
}

/** Returns the command that reproduces a result. */
function reproducingCommand(
  { playbook, strategy, rules, limit, dataset }: EvalCommandOptions,
  { set }: EvalSource,
): string {
  return [
    `casefile eval --playbook ${playbook}`,
    dataset === undefined ? `--set ${set}` : `--dataset ${dataset}`,
    ...(rules ? ['--rules'] : []),
    ...(strategy === undefined ? [] : [`--strategy ${strategy}`]),
    ...(limit === undefined ? [] : [`--limit ${limit}`]),
  ].join(' ');
}

function count(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError('expected a whole number, 1 or more');
}

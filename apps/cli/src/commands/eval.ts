import { basename, join } from 'node:path';
import { InvalidInput } from '@casefile/contracts';
import { finishAtEnd } from '@casefile/runtime/process-end';
import { type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import type {
  DatasetKind,
  DatasetOptions,
  EvaluationOption,
  Measures,
} from '@casefile/kit/evaluation/dataset';
import { EXIT } from '../exit-code.js';
import { manyLines, oneLine } from '@casefile/kit/output/escape';
import { runningConsole, type SystemOptions } from '../running-console.js';
import { httpAddress } from './options.js';
import type { EvalRun, EvalSystem } from '@casefile/kit/evaluation/eval-system';
import { wholeFrom } from './option-values.js';

/** Time that running cases have to end after the command is interrupted, in milliseconds. */
const FINISH_WITHIN_MS = 10_000;

interface EvalCommandOptions extends SystemOptions {
  limit?: number;
  playbook?: string;
  dataset?: string;
  set?: string;
  strategy?: string;
  rules?: boolean;
  out?: string;
  results: string;
  atOnce: number;
  json?: boolean;
}

/** `casefile eval --playbook NAME --set NAME` */
export function addEval(program: Command, { terminal, end, evaluations }: CommandContext): void {
  const formats = [...new Set(evaluations.map(({ format }) => format))].map((format) => {
    const kinds = evaluations.filter((one) => one.format === format).map(({ playbook }) => playbook);
    return `${kinds.join(', ')}: ${format}`;
  });
  const command = program
    .command('eval')
    .description(
      'judge a labelled data set in the running system, or in this process if none runs, and measure the verdicts; its cases are stored separately from others',
    )
    .option('--playbook <name>', 'kind of case; required')
    .option('--set <name>', 'bundled labelled set. Default: the kind’s first set')
    .option('--dataset <path>', `a labelled set of your own. ${formats.join('; ')}`)
    .option('--strategy <name>', 'strategy to use instead of that of the kind')
    .option('--rules', 'judge by the kind’s rules, without a model')
    .option('--limit <number>', 'maximum number of items, spread evenly over the set', wholeFrom(1));
  for (const { flags, description } of optionsOfKinds(evaluations)) command.option(flags, description);
  command
    .option(
      '--results <file>',
      'file that keeps the results; a later command with this file continues from them',
      join('.casefile', 'eval-results.jsonl'),
    )
    .option('--direct', 'judge in this process, with the settings and the database of this environment')
    .option('--console <url>', 'URL of the console', httpAddress)
    .option('--at-once <number>', 'cases that are judged concurrently', wholeFrom(1), 8)
    .option('--out <folder>', 'folder for a file with the result and an index of all results')
    .option('--json', 'print the measures as JSON')
    .action((options: EvalCommandOptions) =>
      finishAtEnd(FINISH_WITHIN_MS, async (signal) => {
        // Loaded only by this command, so that other commands start fast.
        const { KindParts } = await import('../kinds.js');
        const { evaluate } = await import('../eval/evaluate.js');
        const kinds = await KindParts.load();
        const kind = kinds.evaluationOf(options.playbook);
        const source = evalSourceOption(options, kind, command, evaluations);
        const print = ({ values, lines }: Measures) => {
          for (const line of options.json ? [JSON.stringify(values)] : lines.map(manyLines))
            terminal.out(line);
        };
        const ofKind = command.opts<DatasetOptions>();
        if (kind.toolMeasure !== undefined && ofKind[kind.toolMeasure.option] === true) {
          const { measureTool } = await import('../eval/measure-tool.js');
          print(await measureTool(kind, source.path, ofKind, signal, terminal));
          return end(EXIT.ok);
        }
        const dataset = await kind.read(source.path, ofKind);
        const { atOnce, results: resultsFile } = options;
        const { playbook } = kind;
        const strategy = options.rules ? kinds.rulesOf(playbook) : (options.strategy ?? null);
        const note = (line: string) => terminal.err(oneLine(line));
        const system = await openEvalSystem(options, {
          playbook,
          dataset: source.name,
          strategy,
          signal,
          note,
        });
        const results = await evaluate(dataset, system, { atOnce, resultsFile, signal }, terminal).finally(
          () => system.close(),
        );
        const { keepResult, resultLines, resultOfRun } = await import('../eval/results-folder.js');
        const { settings } = system;
        const reproducing = reproducingCommand(options, source);
        const result = await resultOfRun(results, dataset, {
          ...source,
          kind: playbook,
          command: reproducing,
          settings,
        });
        const { values, lines } = dataset.measure(results);
        print({ values: { ...values, result }, lines: [...lines, ...resultLines(result)] });
        const missing = dataset.items.length - results.length;
        if (missing > 0)
          terminal.err(
            `casefile: interrupted after ${results.length} of ${dataset.items.length} ${kind.items}; run the same command to continue`,
          );
        else if (options.out !== undefined) note(`casefile: wrote ${await keepResult(options.out, result)}`);
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

/** Returns the options of all kinds, each once. */
function optionsOfKinds(evaluations: readonly DatasetKind[]): EvaluationOption[] {
  const all = evaluations.flatMap(({ options }) => options);
  return all.filter(({ name }, i) => all.findIndex((one) => one.name === name) === i);
}

/** @throws InvalidInput if the kind has no set of this name, or an option belongs to another kind. */
function evalSourceOption(
  commandOptions: EvalCommandOptions,
  kind: DatasetKind,
  command: Command,
  evaluations: readonly DatasetKind[],
): EvalSource {
  const { playbook, sets, options, toolMeasure } = kind;
  const given: DatasetOptions = command.opts();
  const own = new Set(options.map(({ name }) => name));
  const problems = optionsOfKinds(evaluations)
    .filter(({ name }) => given[name] !== undefined && !own.has(name))
    .map(({ flags }) => ({ path: switchOf(flags), message: `is not an option of ${playbook}` }));
  if (
    toolMeasure !== undefined &&
    given[toolMeasure.fileOption] !== undefined &&
    given[toolMeasure.option] !== true
  )
    problems.push({
      path: flagOf(options, toolMeasure.fileOption),
      message: `requires ${flagOf(options, toolMeasure.option)}`,
    });
  if (commandOptions.set !== undefined && commandOptions.dataset !== undefined)
    problems.push({ path: '--set', message: 'cannot be used with --dataset' });
  if (commandOptions.rules && commandOptions.strategy !== undefined)
    problems.push({ path: '--rules', message: 'cannot be used with --strategy' });
  const [first] = sets;
  const namedSet = sets.find(({ name }) => name === (commandOptions.set ?? first.name));
  if (namedSet === undefined) {
    const setNames = sets.map(({ name, about }) => `${name} (${about})`).join(', ');
    problems.push({ path: '--set', message: `expected one of ${setNames}, or --dataset with a file` });
  }
  if (namedSet === undefined || problems.length > 0) throw new InvalidInput(problems, 'command line');
  if (commandOptions.dataset !== undefined) {
    const file = basename(commandOptions.dataset);
    return { name: file, set: file, path: commandOptions.dataset };
  }
  return { name: `${playbook}-${namedSet.name}`, set: namedSet.name, path: namedSet.path };
}

/** Returns `--look-ups` for `--look-ups`, and `--format` for `--format <name>`. */
function switchOf(flags: string): string {
  return flags.split(' ', 1)[0] ?? flags;
}

function flagOf(options: readonly EvaluationOption[], name: string): string {
  return switchOf(options.find((one) => one.name === name)?.flags ?? `--${name}`);
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

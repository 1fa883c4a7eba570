import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import {
  createExperimentSchema,
  parseInput,
  type CreateExperiment,
  type ShownExperiment,
} from '@casefile/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { oneLine } from '@casefile/kit/output/escape';
import { comparisonLines } from '../output/comparison-lines.js';
import { readJsonFile } from '@casefile/kit/files/read-input-file';
import { flagLine } from './flags.js';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';

interface ExperimentActOptions extends ConsoleOptions {
  by: string;
  reason: string;
}

const ID = 'id of the experiment';

/** `casefile experiments list|show|create|start|share|stop|promote|reset`: comparisons of two ways of judging. */
export function addExperiments(program: Command, context: CommandContext): void {
  const experiments = program
    .command('experiments')
    .description('comparisons of two ways of judging, in shadow or on a share of the cases');
  addReading(experiments, context);
  addCreate(experiments, context);
  addActs(experiments, context);
}

function addReading(experiments: Command, { terminal, end }: CommandContext): void {
  const list = experiments.command('list').description('list the experiments, the newest first');
  consoleOptions(list).action(async (options: ConsoleOptions) => {
    const answer = await (await connectConsole(options)).get('/experiments');
    print(terminal, options, answer, () =>
      answer.experiments.length === 0 ? ['No experiments.'] : answer.experiments.map(experimentLine),
    );
    end(EXIT.ok);
  });
  const show = experiments
    .command('show')
    .description('print an experiment and the comparison of its arms')
    .argument('<id>', ID);
  consoleOptions(show).action(async (id: string, options: ConsoleOptions) => {
    const answer = await (await connectConsole(options)).get('/experiments/{id}', { params: { id } });
    print(terminal, options, answer, () => [experimentLine(answer), '', ...comparisonLines(answer)]);
    end(EXIT.ok);
  });
}

function addCreate(experiments: Command, { terminal, end }: CommandContext): void {
  const create = experiments
    .command('create')
    .description('create an experiment from a file, without starting it')
    .argument('<file>', 'JSON: name, playbook, mode, arms, share; - for standard input');
  acting(create).action(async (file: string, options: ExperimentActOptions) => {
    const body = await readExperiment(file, options);
    const answer = await (await connectConsole(options)).post('/experiments', { body });
    print(terminal, options, answer, () => [
      experimentLine(answer),
      `start it: casefile experiments start ${answer.id} --reason TEXT`,
    ]);
    end(EXIT.ok);
  });
}

function addActs(experiments: Command, { terminal, end }: CommandContext): void {
  for (const [act, what] of [
    ['start', 'start an experiment, or start it again after a stop'],
    ['stop', 'stop an experiment: new runs use the normal settings'],
  ] as const) {
    const command = experiments.command(act).description(what).argument('<id>', ID);
    acting(command).action(async (id: string, options: ExperimentActOptions) => {
      const request = { params: { id }, body: actBody(options) };
      const answer = await (await connectConsole(options)).post(`/experiments/{id}/${act}`, request);
      print(terminal, options, answer, () => [experimentLine(answer)]);
      end(EXIT.ok);
    });
  }
  const reset = experiments
    .command('reset')
    .description('reset an experiment that stepped back on its own, so that it can start again')
    .argument('<id>', ID);
  acting(reset).action(async (id: string, options: ExperimentActOptions) => {
    const request = { params: { id }, body: actBody(options) };
    const answer = await (await connectConsole(options)).post('/experiments/{id}/reset', request);
    print(terminal, options, answer, () => [flagLine(answer)]);
    end(EXIT.ok);
  });
  const share = experiments
    .command('share')
    .description('change the share of the cases; when it rises, no case leaves the new arm')
    .argument('<id>', ID)
    .argument('<percent>', 'from 0.01 to 100', readPercent);
  acting(share).action(async (id: string, percent: number, options: ExperimentActOptions) => {
    const request = { params: { id }, body: { ...actBody(options), share: percent } };
    const answer = await (await connectConsole(options)).post('/experiments/{id}/share', request);
    print(terminal, options, answer, () => [experimentLine(answer)]);
    end(EXIT.ok);
  });
  const promote = experiments
    .command('promote')
    .description('end an experiment and make the prompt versions of an arm live')
    .argument('<id>', ID)
    .option('--arm <name>', 'name of the arm. Default: the new arm');
  acting(promote).action(async (id: string, options: ExperimentActOptions & { arm?: string }) => {
    const { arm } = options;
    const request = { params: { id }, body: { ...actBody(options), ...(arm === undefined ? {} : { arm }) } };
    const answer = await (await connectConsole(options)).post('/experiments/{id}/promote', request);
    print(terminal, options, answer, () => [
      experimentLine(answer),
      ...(answer.configuration === null
        ? []
        : [
            'New runs use the other settings of the arm once a file of CASEFILE_CONFIG has them:',
            oneLine(JSON.stringify(answer.configuration)),
          ]),
    ]);
    end(EXIT.ok);
  });
}

function acting(command: Command): Command {
  return consoleOptions(command)
    .requiredOption('--reason <text>', 'why')
    .option('--by <name>', 'who acts', userInfo().username);
}

const actBody = ({ by, reason }: ExperimentActOptions) => ({ by, reason, actId: randomUUID() });

/** @throws InvalidInput that names each wrong field of the file. */
async function readExperiment(file: string, options: ExperimentActOptions): Promise<CreateExperiment> {
  const fileContent = await readJsonFile(file);
  const own = typeof fileContent === 'object' && fileContent !== null ? fileContent : {};
  return parseInput(createExperimentSchema, { ...actBody(options), ...own }, 'experiment');
}

function readPercent(text: string): number {
  const value = Number(text);
  if (/^\d{1,3}(?:\.\d{1,4})?$/.test(text) && value >= 0.01 && value <= 100) return value / 100;
  throw new InvalidArgumentError('Expected a percentage from 0.01 to 100.');
}

function experimentLine({ id, name, playbook, mode, arms, share, state }: ShownExperiment): string {
  const names = arms.map((arm) => arm.name).join(' / ');
  const percent = Number((share * 100).toFixed(2));
  const about = [playbook, names, name].map(oneLine).join('  ');
  return `${id}  ${state.padEnd(12)}  ${mode.padEnd(6)}  ${percent} %  ${about}`;
}

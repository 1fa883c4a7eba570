import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { InvalidInput, type PromptDiff, type PromptList, type ShownPrompt } from '@casefile/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { manyLines, oneLine } from '@casefile/kit/output/escape';
import { readInputFile } from '@casefile/kit/files/read-input-file';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';

const PROMPT = 'kind of case and name, such as KIND/answer';
const MOVES = ['candidate', 'live', 'retired'] as const;
type Move = (typeof MOVES)[number];

interface PromptActOptions extends ConsoleOptions {
  by: string;
}

/** `casefile prompts list|show|diff|add|state|history`: versions of prompts. */
export function addPrompts(program: Command, context: CommandContext): void {
  const prompts = program.command('prompts').description('versions of prompts');
  addReading(prompts, context);
  addChanging(prompts, context);
}

function addReading(prompts: Command, { terminal, end }: CommandContext): void {
  const list = prompts.command('list').description('list the prompts, each with its live version');
  consoleOptions(list).action(async (options: ConsoleOptions) => {
    const answer = await (await connectConsole(options)).get('/prompts');
    print(terminal, options, answer, () => promptLines(answer));
    end(EXIT.ok);
  });
  const show = prompts
    .command('show')
    .description('print the text of a version')
    .argument('<prompt>', PROMPT, promptName)
    .argument('[version]', 'its number. Default: the live version', versionNumber);
  consoleOptions(show).action(
    async (params: Name, requestedVersion: number | undefined, options: ConsoleOptions) => {
      const client = await connectConsole(options);
      const prompt = await client.get('/prompts/{playbook}/{name}', { params });
      const version = String(
        requestedVersion ?? prompt.versions.find(({ state }) => state === 'live')?.version ?? 1,
      );
      const path = '/prompts/{playbook}/{name}/versions/{version}';
      const answer = await client.get(path, { params: { ...params, version } });
      print(terminal, options, answer, () => manyLines(answer.text.replace(/\n$/, '')).split('\n'));
      end(EXIT.ok);
    },
  );
  const diff = prompts
    .command('diff')
    .description('compare two versions line by line')
    .argument('<prompt>', PROMPT, promptName)
    .argument('<to>', 'number of the version to look at', versionNumber)
    .argument('[from]', 'number of the version to compare it with. Default: the live version', versionNumber);
  consoleOptions(diff).action(
    async (params: Name, to: number, from: number | undefined, options: ConsoleOptions) => {
      const query = { to, ...(from === undefined ? {} : { from }) };
      const answer = await (
        await connectConsole(options)
      ).get('/prompts/{playbook}/{name}/diff', { params, query });
      print(terminal, options, answer, () => comparisonLines(answer));
      end(EXIT.ok);
    },
  );
  const history = prompts
    .command('history')
    .description('list who added and moved versions, and why')
    .argument('<prompt>', PROMPT, promptName);
  consoleOptions(history).action(async (params: Name, options: ConsoleOptions) => {
    const answer = await (await connectConsole(options)).get('/prompts/{playbook}/{name}', { params });
    print(terminal, options, { history: answer.history }, () => pastActs(answer));
    end(EXIT.ok);
  });
}

function addChanging(prompts: Command, { terminal, end }: CommandContext): void {
  const user = userInfo().username;
  const add = prompts
    .command('add')
    .description('add a text as a candidate')
    .argument('<file>', 'the text, or - for standard input')
    .requiredOption('--message <text>', 'why the text was changed')
    .option('--prompt <name>', `${PROMPT}. Default: folder and name of the file`, promptName)
    .option('--parent <version>', 'the version that the text was made from', versionNumber)
    .option('--by <name>', 'who adds it', user);
  consoleOptions(add).action(
    async (file: string, options: PromptActOptions & { message: string; prompt?: Name; parent?: number }) => {
      const { message, by, parent, prompt: params = promptOfFile(file) } = options;
      const about = { message, by, actId: randomUUID(), ...(parent === undefined ? {} : { parent }) };
      const body = { text: await readInputFile(file), ...about };
      const path = '/prompts/{playbook}/{name}/versions';
      const answer = await (await connectConsole(options)).post(path, { params, body });
      print(terminal, options, answer, () => [
        `version ${answer.version} of ${params.playbook}/${params.name} is ${answer.state}: ${answer.id}`,
      ]);
      end(EXIT.ok);
    },
  );
  const state = prompts
    .command('state')
    .description('make a version live, or retire a candidate; a retired version can be made live again')
    .argument('<prompt>', PROMPT, promptName)
    .argument('<version>', 'its number', versionNumber)
    .argument('<state>', MOVES.join(', '), stateNamed)
    .requiredOption('--reason <text>', 'why')
    .option('--by <name>', 'who moves it', user);
  consoleOptions(state).action(
    async (params: Name, version: number, to: Move, options: PromptActOptions & { reason: string }) => {
      const { reason, by } = options;
      const path = '/prompts/{playbook}/{name}/versions/{version}/state';
      const body = { state: to, reason, by, actId: randomUUID() };
      const request = { params: { ...params, version: String(version) }, body };
      const answer = await (await connectConsole(options)).post(path, request);
      print(terminal, options, answer, () => [
        `version ${answer.version} of ${params.playbook}/${params.name} is ${answer.state}`,
      ]);
      end(EXIT.ok);
    },
  );
}

interface Name {
  playbook: string;
  name: string;
}

function promptName(text: string): Name {
  const [, playbook, name] = /^([\w-]{1,100})\/([\w-]{1,100})$/.exec(text) ?? [];
  if (playbook !== undefined && name !== undefined) return { playbook, name };
  throw new InvalidArgumentError(
    'Expected the kind of case and the name of the prompt, such as KIND/answer.',
  );
}

/** Folder and file are named as in CASEFILE_PROMPTS: `KIND/answer@2.md`. */
function promptOfFile(file: string): Name {
  const [, playbook, name] = /([\w-]{1,100})[/\\]([\w-]{1,100})(?:@\d{1,9})?\.md$/.exec(resolve(file)) ?? [];
  if (file !== '-' && playbook !== undefined && name !== undefined) return { playbook, name };
  const message = 'expected KIND/NAME.md, or name the prompt with --prompt';
  throw new InvalidInput([{ path: 'file', message }], 'command line');
}

function versionNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected the number of a version.');
}

function stateNamed(text: string): Move {
  const match = MOVES.find((one) => one === text);
  if (match !== undefined) return match;
  throw new InvalidArgumentError(`Expected one of ${MOVES.join(', ')}.`);
}

function promptLines({ prompts }: PromptList): string[] {
  return prompts.map(({ playbook, name, live, versions, candidates }) => {
    const count = `${versions} version${versions === 1 ? '' : 's'}`;
    const waiting = candidates === 0 ? '' : `, ${candidates} candidate${candidates === 1 ? '' : 's'}`;
    const inForce = live === null ? 'no live version' : `version ${live.version} by ${live.author}`;
    return oneLine(`${`${playbook}/${name}`.padEnd(36)}  ${inForce}  (${count}${waiting})`);
  });
}

const SIGNS = { same: ' ', added: '+', removed: '-' };

function comparisonLines({ from, to, same, lines }: PromptDiff): string[] {
  if (same) return [`versions ${from} and ${to} have the same text`];
  return [
    `version ${from} -> ${to}`,
    ...lines.map(({ change, text }) => manyLines(`${SIGNS[change]} ${text}`)),
  ];
}

function pastActs({ history, versions }: ShownPrompt): string[] {
  const acts = history.map(({ at, by, version, from, to, replaced, reason }) => {
    const act = from === null ? `added version ${version}` : `moved version ${version}: ${from} -> ${to}`;
    const other = replaced === null ? '' : ` (version ${replaced} retired)`;
    return oneLine(`${at}  ${by} ${act}${other}: ${reason}`);
  });
  const installed = versions.filter(({ author }) => author === 'shipped' || author === 'folder');
  return [
    ...acts,
    ...installed.map(
      ({ createdAt, version, author }) => `${createdAt}  version ${version} was added: ${author}`,
    ),
  ];
}

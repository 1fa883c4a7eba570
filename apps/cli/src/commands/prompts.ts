import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { EXIT } from '../exit-code.js';
import { manyLines } from '@casefile/kit/output/escape';
import { readInputFile } from '@casefile/kit/files/read-input-file';
import { promptParts } from '../operations/inputs.js';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import { wrongOption } from './option-values.js';

const PROMPT = 'kind of case and name, such as KIND/answer';

interface PromptActOptions extends ConsoleOptions {
  by: string;
}

/** `casefile prompts show|add`: the text of a version, by default of the live one, and a text of a file */
export function addPrompts(program: Command, context: CommandContext): void {
  const prompts = program.command('prompts');
  addShow(prompts, context);
  addAdd(prompts, context);
}

function addShow(prompts: Command, { terminal, end }: CommandContext): void {
  const show = prompts
    .command('show')
    .description('print the text of a version')
    .argument('<prompt>', PROMPT, promptName)
    .argument('[version]', 'its number. Default: the live version', versionNumber);
  consoleOptions(show).action(
    async (params: PromptName, requestedVersion: number | undefined, options: ConsoleOptions) => {
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
}

function addAdd(prompts: Command, { terminal, end }: CommandContext): void {
  const add = prompts
    .command('add')
    .description('add a text as a candidate')
    .argument('<file>', 'the text, or - for standard input')
    .requiredOption('--message <text>', 'why the text was changed')
    .option('--prompt <name>', `${PROMPT}. Default: folder and name of the file`, promptName)
    .option('--parent <version>', 'the version that the text was made from', versionNumber)
    .option('--by <name>', 'who adds it', userInfo().username);
  consoleOptions(add).action(
    async (
      file: string,
      options: PromptActOptions & { message: string; prompt?: PromptName; parent?: number },
    ) => {
      const { message, by, parent, prompt: params = promptOfFile(file) } = options;
      const about = { message, by, ...(parent === undefined ? {} : { parent }) };
      const body = { text: await readInputFile(file), ...about };
      const path = '/prompts/{playbook}/{name}/versions';
      const answer = await (await connectConsole(options)).post(path, { params, body });
      print(terminal, options, answer, () => [
        `version ${answer.version} of ${params.playbook}/${params.name} is ${answer.state}: ${answer.id}`,
      ]);
      end(EXIT.ok);
    },
  );
}

interface PromptName {
  playbook: string;
  name: string;
}

function promptName(text: string): PromptName {
  const [playbook = '', name = ''] = promptParts(text);
  return { playbook, name };
}

/** Folder and file are named as in CASEFILE_PROMPTS: `KIND/answer@2.md`. */
function promptOfFile(file: string): PromptName {
  const [, playbook, name] = /([\w-]{1,100})[/\\]([\w-]{1,100})(?:@\d{1,9})?\.md$/.exec(resolve(file)) ?? [];
  if (file !== '-' && playbook !== undefined && name !== undefined) return { playbook, name };
  throw wrongOption('file', 'expected KIND/NAME.md, or name the prompt with --prompt');
}

function versionNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected the number of a version.');
}

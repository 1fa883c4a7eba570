import { isObject, type Json } from '@casefile/contracts';
import { oneLine } from '@casefile/kit/output/escape';
import { readJsonFile } from '@casefile/kit/files/read-input-file';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { AnyRequest, ConsoleClient } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';
import { connectConsole, consoleOptions, type ConsoleOptions } from '../commands/options.js';
import { showReadings, watchedOptions } from '../commands/watched.js';
import { EXIT } from '../exit-code.js';
import { VIEWS } from '../views/index.js';
import { plain, type View } from '../views/view.js';
import { COMMANDS, GROUPS, WITHOUT_COMMAND, type OperationCommand } from './commands.js';
import { readOperations, type Operation } from './document.js';
import { inputsOf, isCase, kebab, lowerFirst, type Input } from './inputs.js';
import { wrongOption } from '../commands/option-values.js';

/** A command of an operation. */
interface NamedCommand {
  operation: Operation;
  command: OperationCommand;
  /** Whether `--help` leaves it out, because the operation has a usual name. */
  isHidden: boolean;
}

/** Adds the commands of all operations of the API: under their usual names, and as `TAG OPERATION`. */
export function addOperations(program: Command, context: CommandContext): void {
  const { operations, tags } = readOperations();
  const named = operations
    .filter(({ id }) => WITHOUT_COMMAND[id] === undefined)
    .flatMap((operation) => namedCommands(program, operation));
  const visible = new Set(named.filter((one) => !one.isHidden).map(({ command }) => groupName(command)));
  const usual = new Set(Object.values(COMMANDS).flatMap((all) => all.map(groupName)));
  for (const one of named) {
    const [name = '', word] = one.command.name.split(' ');
    const hidden = !visible.has(name);
    const group =
      commandOf(program, name) ?? program.command(name, { hidden }).helpGroup(groupHeading(name, usual));
    if (group.description() === '') group.description(GROUPS[name] ?? groupDescription(name, tags));
    const { isDefault = false } = one.command;
    addInputs(
      word === undefined ? group : group.command(word, { hidden: one.isHidden, isDefault }),
      one,
      context,
    );
  }
}

function groupHeading(name: string, usual: ReadonlySet<string>): string {
  return usual.has(name) ? 'Commands:' : 'Other operations of the API:';
}

function groupDescription(name: string, tags: ReadonlyMap<string, string>): string {
  const tag = name.replaceAll('-', ' ');
  const text = tags.get(tag) ?? '';
  const own = text.toLowerCase().startsWith(`${tag}: `) ? text.slice(`${tag}: `.length) : text;
  return lowerFirst(own.replace(/\.$/, ''));
}

const groupName = ({ name }: OperationCommand): string => name.split(' ')[0] ?? '';
const commandOf = (parent: Command, name: string) => parent.commands.find((one) => one.name() === name);

function namedCommands(program: Command, operation: Operation): NamedCommand[] {
  const usual = COMMANDS[operation.id] ?? [];
  const systematic = systematicName(program, operation);
  const isHidden = usual.length > 0;
  return [
    ...usual.map((command) => ({ operation, command, isHidden: false })),
    ...(usual.some(({ name }) => name === systematic)
      ? []
      : [{ operation, command: { name: systematic, ...sameAs(usual) }, isHidden }]),
  ];
}

function sameAs(usual: readonly OperationCommand[]): Pick<OperationCommand, 'description'> {
  if (usual.length === 0) return {};
  return { description: `the same as ${usual.map(({ name }) => `casefile ${name}`).join(', ')}` };
}

/**
 * Returns `TAG OPERATION`: the verb alone if the rest of the operation's id is the tag, such as `flags list`;
 * otherwise the whole id, also if the group has another command with that verb.
 */
function systematicName(program: Command, { id, tag }: Operation): string {
  const group = tag.replaceAll(' ', '-');
  const [verb = '', ...rest] = kebab(id).replace(/^get-/, 'show-').split('-');
  const noun = rest.join('-');
  const one = group.replace(/ies$/, 'y').replace(/s$/, '');
  const isOwn = ['', one, ...(['list', 'show'].includes(verb) ? [group] : [])].includes(noun);
  const taken = commandOf(program, group);
  const isTaken = taken !== undefined && commandOf(taken, verb) !== undefined;
  return `${group} ${isOwn && !isTaken ? verb : [verb, ...rest].join('-')}`;
}

function addInputs(
  command: Command,
  { operation, command: named }: NamedCommand,
  context: CommandContext,
): void {
  const inputs = inputsOf(operation, named);
  const summary = lowerFirst(operation.summary.split(/: [{?]/, 1)[0] ?? '');
  command.description(named.description ?? summary);
  for (const { argument, option } of inputs) {
    if (argument !== undefined) command.addArgument(argument);
    if (option !== undefined) command.addOption(option);
  }
  for (const [flags, description, read] of named.switches ?? []) {
    const option = new Option(flags, description);
    command.addOption(read === undefined ? option : option.argParser(read));
  }
  const isReading = operation.method === 'get';
  (isReading ? watchedOptions(command) : consoleOptions(command)).action(async () => {
    const options = command.opts<ConsoleOptions & { watch?: number | true }>();
    const client = await connectConsole(options);
    const { request, values } = await requestOf(client, operation, named, inputs, command);
    const view = named.view ?? VIEWS.get(`${operation.method} ${operation.path}`);
    const shown = { values, options: command.opts(), colors: context.terminal.colors };
    await showReadings(context, options, async () => {
      const answer = await client.send(operation.method, operation.path, request);
      const { lines, exitCode, note } = (view ?? plain) as View<unknown>;
      const notes = [
        note?.(answer) ?? null,
        ...(options.json === true ? [] : [nextPage(answer), unsearched(answer)]),
      ];
      for (const text of notes) if (text !== null) context.terminal.err(`casefile: ${text}`);
      return {
        answer,
        lines: lines(answer, shown),
        exitCode: exitCode?.(answer, shown) ?? EXIT.ok,
      };
    });
  });
}

function nextPage(answer: unknown): string | null {
  if (!isObject(answer) || typeof answer['nextCursor'] !== 'string') return null;
  return `there are more. For the next page: --cursor ${oneLine(answer['nextCursor'])}`;
}

function unsearched(answer: unknown): string | null {
  if (!isObject(answer) || typeof answer['searchableTo'] !== 'string') return null;
  return `texts from ${oneLine(answer['searchableTo'])} on are not searched yet. Repeat the search in a few seconds.`;
}

/** Returns the request of a command, and the values of its fields by name. */
async function requestOf(
  client: ConsoleClient,
  operation: Operation,
  { fixed = {}, body: bodyOf }: OperationCommand,
  inputs: readonly Input[],
  command: Command,
): Promise<{ request: AnyRequest; values: Record<string, unknown> }> {
  const places = { path: {}, query: {}, body: {} } as Record<string, Record<string, Json>>;
  const placeOf = (name: string) => operation.fields.find((field) => field.name === name)?.place ?? 'body';
  for (const [name, value] of Object.entries(fixed)) (places[placeOf(name)] ??= {})[name] = value;
  const texts = [...command.processedArgs] as unknown[];
  for (const input of inputs) {
    const given = input.option === undefined ? texts.shift() : command.opts()[input.option.attributeName()];
    if (given === undefined) continue;
    const value = await valueOf(client, operation, input, given);
    if (input.fields.length > 1 && isObject(value)) places['body'] = { ...places['body'], ...value };
    else setValue(places, input, value);
  }
  const { path = {}, query = {}, body = {} } = places;
  const whole =
    bodyOf === undefined ? body : await completed(command, async () => bodyOf(body, command.opts()));
  const params = Object.fromEntries(Object.entries(path).map(([name, value]) => [name, String(value)]));
  const request = {
    params,
    query: query as Record<string, string>,
    ...(operation.hasBody && { body: whole }),
  };
  return { request, values: { ...path, ...query, ...whole } };
}

/** Options that do not fit together are an error of the command line, as a wrong value of one is. */
async function completed(
  command: Command,
  body: () => Promise<Record<string, Json>>,
): Promise<Record<string, Json>> {
  try {
    return await body();
  } catch (thrown) {
    if (thrown instanceof InvalidArgumentError) command.error(`error: ${thrown.message}`);
    throw thrown;
  }
}

async function valueOf(
  client: ConsoleClient,
  operation: Operation,
  input: Input,
  given: unknown,
): Promise<Json> {
  if (input.isFile) {
    const read = (await readJsonFile(String(given))) as Json;
    if (input.fields.length === 1 || isObject(read)) return read;
    throw wrongOption('file', 'expected one JSON object');
  }
  if (!isCase(operation, input)) return given as Json;
  if (!Array.isArray(given)) return client.wholeId(String(given));
  return Promise.all(given.map((part) => client.wholeId(String(part))));
}

function setValue(places: Record<string, Record<string, Json>>, { fields, path }: Input, value: Json): void {
  const [field] = fields;
  if (field === undefined) return;
  const [last = field.name, ...outer] = [field.name, ...path].reverse();
  let at = (places[field.place] ??= {});
  for (const name of outer.reverse()) at = (at[name] ??= {}) as Record<string, Json>;
  if (fields.length === 1) at[last] = value;
  else fields.forEach(({ name }, i) => (at[name] = (value as Json[])[i] ?? null));
}

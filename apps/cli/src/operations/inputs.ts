import { userInfo } from 'node:os';
import type { Json } from '@casefile/contracts';
import { Argument, InvalidArgumentError, Option } from 'commander';
import type { OperationCommand } from './commands.js';
import type { Field, FieldSchema, Operation } from './document.js';
import { isSwitch, isTime, readField } from './field-value.js';

/** One value of a request, as a positional argument or an option. */
export interface Input {
  /** Fields that the value fills: one, or those of a prompt's name. */
  fields: readonly Field[];
  /** Names from the field to the value inside it. */
  path: readonly string[];
  /** Whether the value is the name of a JSON file. */
  isFile: boolean;
  /** Absent: an argument. */
  option?: Option;
  /** Absent: an option. */
  argument?: Argument;
}

/** Fields that say who acts, why, and how often. A file with the whole body leaves them to options. */
const ACT_FIELDS = ['by', 'reason', 'actId'];
/** The whole body, in `files`. */
const WHOLE_BODY = '*';

/** Returns the arguments of a command in their order, then its options. */
export function inputsOf(operation: Operation, command: OperationCommand): Input[] {
  const { fields } = operation;
  const { files = [], fixed = {}, options = {}, without = [] } = command;
  const hasWholeBody = files.includes(WHOLE_BODY);
  const inPath = fields.filter(({ place, name }) => place === 'path' && !(name in fixed));
  const names = command.arguments ?? inPath.map(({ name }) => name);
  const inArguments = new Set(names.flatMap((name) => name.split('/')));
  const renamed = new Set(Object.values(options).map((path) => path.split('.')[0]));
  const left = fields.filter(
    ({ name, place }) =>
      !inArguments.has(name) &&
      !(name in fixed) &&
      !without.includes(name) &&
      !renamed.has(name) &&
      (!hasWholeBody || place !== 'body' || ACT_FIELDS.includes(name)),
  );
  return [
    ...names.map((name) => argumentInput(namedFields(operation, name.split('/')), command)),
    ...Object.entries(options).map(([option, path]) => {
      const [name = '', ...inside] = path.split('.');
      return optionInput(namedFields(operation, [name])[0], inside, option, command);
    }),
    ...left.map((field) => optionInput(field, [], kebab(field.name), command)),
    // Last, so that its fields are preferred to the defaults of options.
    ...(hasWholeBody ? [wholeBodyInput(operation)] : []),
  ];
}

function namedFields({ id, fields }: Operation, names: readonly string[]): [Field, ...Field[]] {
  const [first, ...others] = names.map((name) => {
    const match = fields.find((field) => field.name === name);
    if (match === undefined) throw new Error(`${id} has no field ${name}`);
    return match;
  });
  if (first === undefined) throw new Error(`${id}: an argument needs a field`);
  return [first, ...others];
}

/** Whether a field is the person who acts. In a query, `by` is what a list is grouped by. */
export const isActor = ({ name, place }: Field): boolean => name === 'by' && place === 'body';

function argumentInput(fields: [Field, ...Field[]], command: OperationCommand): Input {
  const [field] = fields;
  const { schema, name, isRequired } = field;
  const reader = command.readers?.[name];
  const isFile = command.files?.includes(name) ?? false;
  const isMany = schema.type === 'array' && !isFile;
  const shown = isFile ? 'file' : fields.length > 1 ? 'prompt' : (reader?.value ?? placeName(field));
  const word = `${shown}${isMany ? '...' : ''}`;
  const argument = new Argument(isRequired ? `<${word}>` : `[${word}]`, aboutInput(field, command));
  if (!isFile) argument.argParser(reading(fields, schema, reader?.read));
  if (schema.enum !== undefined) argument.argChoices = [...schema.enum];
  return { fields, path: [], isFile, argument };
}

function wholeBodyInput({ fields }: Operation): Input {
  const body = fields.filter(({ place, name }) => place === 'body' && !ACT_FIELDS.includes(name));
  const about = `JSON: ${body.map(({ name }) => name).join(', ')}; - for standard input`;
  return { fields: body, path: [], isFile: true, argument: new Argument('<file>', about) };
}

function optionInput(field: Field, path: readonly string[], name: string, command: OperationCommand): Input {
  const schema = path.reduce<FieldSchema>((whole, inside) => whole.properties?.[inside] ?? {}, field.schema);
  const isFile = command.files?.includes(field.name) ?? false;
  const isMany = schema.type === 'array' && !isFile;
  const own = command.readers?.[field.name]?.value;
  const value = isFile ? 'file' : (own ?? valueName(schema, path.at(-1) ?? field.name));
  const flags = isSwitch(schema) ? `--${name}` : `--${name} <${value}${isMany ? '...' : ''}>`;
  const about = aboutInput(
    {
      ...field,
      name: path.at(-1) ?? field.name,
      description: path.length === 0 ? field.description : (schema.description ?? ''),
      schema,
    },
    command,
  );
  const option = new Option(flags, about);
  if (!isFile && !isSwitch(schema))
    option.argParser(reading([field], schema, command.readers?.[field.name]?.read));
  if (schema.enum !== undefined) option.argChoices = [...schema.enum];
  if (isActor(field)) option.default(userInfo().username);
  else if (field.isRequired && !command.computed?.includes(field.name)) option.makeOptionMandatory();
  return { fields: [field], path, isFile, option };
}

// Commander calls a parser for each value, with the values before it.
function reading(
  fields: readonly Field[],
  schema: FieldSchema,
  read = (text: string): Json => readField(schema, text),
): (text: string, before: unknown) => Json {
  if (fields.length > 1) return promptParts;
  if (schema.type !== 'array') return read;
  return (text, before) => [...(Array.isArray(before) ? (before as Json[]) : []), read(text)];
}

/** Returns the kind and the name of a prompt. @throws InvalidArgumentError for any other text. */
export function promptParts(text: string): string[] {
  const [, playbook, name] = /^([\w-]{1,100})\/([\w-]{1,100})$/.exec(text) ?? [];
  if (playbook !== undefined && name !== undefined) return [playbook, name];
  throw new InvalidArgumentError(
    'Expected the kind of case and the name of the prompt, such as KIND/answer.',
  );
}

function aboutInput(field: Field, { readers, files }: OperationCommand): string {
  const { name, schema } = field;
  // The user of the command line is the default here.
  const own = readers?.[name]?.description ?? field.description.replace(' Default: `console`.', '');
  const text = aboutText(own === '' || CASES.test(name) ? fallbackAbout(field, own) : own, schema);
  if (files?.includes(name) !== true) return text;
  return [`JSON file${text === '' ? '' : `: ${text}`}`, '- for standard input'].join('; ');
}

function fallbackAbout({ name, place }: Field, description: string): string {
  if (CASES.test(name))
    return `${description === '' ? 'case' : lowerFirst(description.replace(/\.$/, ''))}: its id, or a unique prefix or suffix of it`;
  if (name === 'by' && place === 'query') return 'one row per value of this column';
  return (
    ABOUT[name] ?? (/^\w+Id$/.test(name) ? `id of the ${kebab(name.slice(0, -2)).replaceAll('-', ' ')}` : '')
  );
}

/** Descriptions of fields that the API does not describe, because it has them in many operations. */
const ABOUT: Readonly<Record<string, string>> = {
  by: 'who acts',
  reason: 'why',
  note: 'why',
  id: 'its id',
  name: 'its name',
  cursor: 'nextCursor of the page before',
  limit: 'maximum number of entries',
  assignee: 'only of this person',
  actor: 'only entries of this person',
  act: 'only entries of this type, such as review.corrected',
  confidenceBelow: 'only with a lower confidence, from 0 to 1',
  weights: 'weights of the objectives, such as citations=0.4,status=0.6',
  state: 'only in this state',
  conversation: 'id of the conversation',
  prompt: 'name of the prompt',
  strategy: 'strategy of the runs',
  model: 'model of the runs',
  source: "part of the sender's name",
  version: 'its number',
  from: 'from this time on',
  to: 'until this time',
  playbook: 'kind of case',
  q: 'words of the text, or a part of an id',
  destination: 'fields of the section destinations: type, url',
};

function aboutText(description: string, schema: FieldSchema): string {
  const value = schema.default;
  const isShown = typeof value === 'string' || typeof value === 'number';
  return [
    lowerFirst(description.replace(/\.$/, '')),
    ...(isShown && value !== '' ? [`default: ${value}`] : []),
  ]
    .filter((part) => part !== '')
    .join('; ');
}

/** Returns the text with a small first letter, unless its first word is an abbreviation or code. */
export function lowerFirst(text: string): string {
  return /^[A-Z][a-z]|^A /.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text;
}

/** Returns `case-id` for `caseId`. */
export function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const CASES = /^(?:caseId|caseIds|exceptCaseIds)$/;

/** Whether a value is the id of a case, so that a part of the id is enough. */
export function isCase({ path: route }: Operation, { fields, path }: Input): boolean {
  const name = path.at(-1) ?? fields[0]?.name ?? '';
  return CASES.test(name) || (/^\/(?:reviews|pattern-proposals)\//.test(route) && /^ids?$/.test(name));
}

function placeName({ name, schema }: Field): string {
  if (/^caseIds?$/.test(name)) return 'case';
  return schema.type === 'array' ? valueName(schema, name) : kebab(name).replace(/^\w+-id$/, 'id');
}

function valueName(schema: FieldSchema, name: string): string {
  const { type, items, enum: choices } = schema;
  if (type === 'array') return valueName(items ?? {}, name);
  if (choices !== undefined) return kebab(name);
  if (isTime(schema)) return 'time';
  if (type === 'object') return 'name=value';
  if (/usd$/i.test(name)) return 'usd';
  if (type === 'integer' || type === 'number') return 'number';
  if (/^(?:case|exceptCase)Ids?$/.test(name)) return 'case';
  return /ids?$/i.test(name) ? 'id' : ['by', 'name', 'playbook'].includes(name) ? 'name' : 'text';
}

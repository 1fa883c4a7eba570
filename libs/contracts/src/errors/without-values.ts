import { firstCharacters } from '../first-characters.js';

const LONGEST_MESSAGE = 2_000;

/** A SQLSTATE. Error codes of Node with five characters match too, and their messages quote nothing. */
const SQLSTATE = /^[0-9A-Z]{5}$/;
/**
 * SQLSTATEs whose messages quote only names: of tables, columns, constraints, roles, databases. In all other
 * classes Postgres quotes input, as in `invalid input syntax for type uuid: "..."` or a syntax error.
 */
const QUOTES_NAMES = /^(08|23|25|26|28|3D|3F|40|42(?!601)|53|55|57|58)/;
/** From the first quotation mark to the last, in the languages of Postgres's messages. */
const QUOTED = /["'`“”„‟«»‘’‹›「」].*["'`“”„‟«»‘’‹›「」]/s;
/** End of a message of Redis that repeats the arguments of an unknown command. */
const REDIS_ARGUMENTS = /,? with args beginning with:.*/s;
/** End of V8's message about a text that is not JSON. It quotes the text, also in the message of another error. */
const NOT_JSON = '" is not valid JSON';

/**
 * Returns the message of an error without values that a driver or a parser quotes from data: for logs, and for
 * the message of an error that replaces this one. Messages of an error without its own are those of its parts.
 */
export function messageWithoutValues(error: unknown): string {
  if (!(error instanceof Error)) return firstCharacters(String(error), LONGEST_MESSAGE);
  return firstCharacters(withoutValues(error), LONGEST_MESSAGE);
}

function withoutValues(error: Error): string {
  const { message, name } = error;
  if (message === '' && error instanceof AggregateError)
    return error.errors.map((part) => messageWithoutValues(part)).join('; ');
  const { code } = error as { code?: unknown };
  // Prisma prefixes its messages with the call and its arguments.
  if (name.startsWith('PrismaClient')) return hideQuoted(message.trim().split('\n').at(-1) ?? '');
  if (name === 'SyntaxError') return hideQuoted(message);
  if (typeof code === 'string' && SQLSTATE.test(code) && !QUOTES_NAMES.test(code)) return hideQuoted(message);
  return hideJsonText(message.replace(REDIS_ARGUMENTS, ''));
}

function hideJsonText(message: string): string {
  const [start, end] = [message.indexOf('"'), message.lastIndexOf(NOT_JSON)];
  return start < 0 || end <= start ? message : `${message.slice(0, start)}"..."${message.slice(end + 1)}`;
}

function hideQuoted(message: string): string {
  return message.replace(QUOTED, '"..."');
}

/** A line of a stack that names a place in the code. */
const FRAME = /^ {4}at .+$/;

/**
 * Returns the stack of an error with its message without values. The message that the stack itself begins with is
 * left out, also if the error got another message later.
 */
export function stackWithoutValues(error: Error): string {
  const { name, message, stack = '' } = error;
  const end = message === '' ? -1 : stack.indexOf(message);
  const below = end < 0 ? stack : stack.slice(end + message.length);
  const frames = below.split('\n').filter((line) => FRAME.test(line));
  return [`${name}: ${messageWithoutValues(error)}`, ...frames].join('\n');
}

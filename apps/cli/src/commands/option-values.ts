import { InvalidInput } from '@casefile/contracts';
import { durationMs, readField } from '../operations/field-value.js';

/** Returns the error of an option or argument, with what was expected, for a command to throw. */
export function wrongOption(path: string, message: string): InvalidInput {
  return new InvalidInput([{ path, message }], 'command line');
}

/** Parses a number above 0. @throws InvalidArgumentError, to which commander adds the option's name. */
export const above0 = (text: string): number =>
  Number(readField({ type: 'number', exclusiveMinimum: 0 }, text));

/** Parses a whole number from a minimum on. @throws InvalidArgumentError. */
export const wholeFrom =
  (minimum: number) =>
  (text: string): number =>
    Number(readField({ type: 'integer', minimum }, text));

/** Parses the age of a time, such as `2h`. Returns the time; null: another text. */
export function timeAgo(text: string): string | null {
  const ms = durationMs(text);
  return ms === null ? null : new Date(Date.now() - ms).toISOString();
}

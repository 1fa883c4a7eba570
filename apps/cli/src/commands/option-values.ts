import { InvalidArgumentError } from 'commander';

/** A number of seconds above 0, as an option gives it. @throws InvalidArgumentError, which commander answers with the option's name. */
export function secondsAbove0(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('Expected a number of seconds above 0, for example 120.');
}

/** An address of a service, as an option gives it. @throws InvalidArgumentError, which commander answers with the option's name. */
export function httpAddress(text: string): string {
  if (URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('Expected an address, for example http://localhost:3001.');
}

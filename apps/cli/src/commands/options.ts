import type { readAddresses } from '@casefile/runtime';
import { InvalidArgumentError, type Command } from 'commander';
import { ConsoleClient } from '../client/console-client.js';
import type { Terminal } from '../output/terminal.js';

/** Options of a command that uses the console. */
export interface ConsoleOptions {
  console?: string;
  json?: boolean;
}

/** Adds the console options to a command. @param json What `--json` prints. */
export function consoleOptions(command: Command, json = 'print the response of the API'): Command {
  return command.option('--console <url>', 'URL of the console', httpAddress).option('--json', json);
}

/** Returns the client of the console that the options select. */
export async function connectConsole({ console }: { console?: string | undefined }): Promise<ConsoleClient> {
  return new ConsoleClient(console ?? (await returnTypeAddresses()).console);
}

/** Prints an answer: as one line of JSON, or as lines for people. */
export function print(
  terminal: Terminal,
  { json = false }: { json?: boolean | undefined },
  answer: unknown,
  lines: () => readonly string[],
): void {
  for (const line of json ? [JSON.stringify(answer)] : lines()) terminal.out(line);
}

/**
 * Returns the URLs of the console and the intake from HOST, CONSOLE_PORT and INGEST_PORT. The module that
 * reads the environment is loaded only if `--console` or `--ingest` is missing.
 */
export async function returnTypeAddresses(
  addresses?: ReturnType<typeof readAddresses>,
): Promise<{ console: string; ingest: string }> {
  const { host, ports } = addresses ?? (await import('@casefile/runtime')).readAddresses();
  const at = (port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { console: at(ports.console), ingest: at(ports.ingest) };
}

/**
 * Parses a number of seconds above 0. @throws InvalidArgumentError, to which commander adds the option's
 * name.
 */
export function secondsAbove0(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('Expected a number of seconds above 0, for example 120.');
}

/** Parses the URL of a service. @throws InvalidArgumentError, to which commander adds the option's name. */
export function httpAddress(text: string): string {
  if (URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('Expected a URL, for example http://localhost:3001.');
}

import type { readAddresses } from '@casefile/runtime';
import { InvalidArgumentError } from 'commander';

/**
 * Returns the URLs of the console and the intake by HOST, CONSOLE_PORT and INGEST_PORT. The reader of the environment is
 * loaded only when it is needed: with `--console` and `--ingest` it is not.
 */
export async function addressesOf(
  given?: ReturnType<typeof readAddresses>,
): Promise<{ console: string; ingest: string }> {
  const { host, ports } = given ?? (await import('@casefile/runtime')).readAddresses();
  const at = (port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { console: at(ports.console), ingest: at(ports.ingest) };
}

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

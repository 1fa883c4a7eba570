import { asCasefileError, CasefileError } from '@casefile/contracts';
import { consoleOf, type ConsoleOptions } from './commands/options.js';

/** How a command finds the system that it works with. */
export interface SystemOptions extends Pick<ConsoleOptions, 'console'> {
  direct?: boolean;
}

/**
 * Returns the URL of the console if a system runs; null if the command is to work directly: with `--direct`, or because nothing
 * answers at the console's address. With `--console` something has to answer.
 * @throws CasefileError if something else than Casefile answers there.
 */
export async function runningConsole({ console, direct = false }: SystemOptions): Promise<string | null> {
  if (direct) return null;
  const client = await consoleOf({ console });
  try {
    await client.get('/meta');
    return client.baseUrl;
  } catch (thrown) {
    if (console === undefined && asCasefileError(thrown).reasonCode === 'unreachable') return null;
    throw thrown;
  }
}

/** What was thrown where only a running system, or `--direct`, can do the work: names both if nothing answers. */
export function orDirect(thrown: unknown, consoleUrl: string, direct: string): unknown {
  if (asCasefileError(thrown).reasonCode !== 'unreachable') return thrown;
  const { origin } = new URL(consoleUrl);
  const message = `nothing answers at ${origin}: start Casefile (casefile up), or ${direct}`;
  return new CasefileError('unreachable', message, { cause: thrown });
}

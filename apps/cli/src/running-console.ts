import { asCasefileError, CasefileError } from '@casefile/contracts';
import { connectConsole, type ConsoleOptions } from './commands/options.js';

/** Options that select the system a command works with. */
export interface SystemOptions extends Pick<ConsoleOptions, 'console'> {
  direct?: boolean;
}

/**
 * Returns the URL of the console if a system runs. Returns null if the command works directly: with
 * `--direct`, or if no server answers at the console's URL. With `--console` a server must answer.
 * @throws CasefileError if another program than Casefile answers there.
 */
export async function runningConsole({ console, direct = false }: SystemOptions): Promise<string | null> {
  if (direct) return null;
  const client = await connectConsole({ console });
  try {
    await client.get('/meta');
    return client.baseUrl;
  } catch (thrown) {
    if (console === undefined && asCasefileError(thrown).reasonCode === 'unreachable') return null;
    throw thrown;
  }
}

/**
 * Returns the error of a command that needs a running system or `--direct`. If no server answers, it names
 * both.
 */
export function orDirect(thrown: unknown, consoleUrl: string, direct: string): unknown {
  if (asCasefileError(thrown).reasonCode !== 'unreachable') return thrown;
  const { origin } = new URL(consoleUrl);
  const message = `nothing answers at ${origin}: start Casefile (casefile up), or ${direct}`;
  return new CasefileError('unreachable', message, { cause: thrown });
}

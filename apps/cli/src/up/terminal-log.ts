import { messageWithoutValues, type Logger } from '@casefile/contracts';
import { oneLine } from '@casefile/kit/output/escape';
import type { Terminal } from '../output/terminal.js';

/** Returns a log for the launcher that prints warnings and errors as lines for people. */
export function terminalLog(terminal: Terminal): Logger {
  const say = (facts: object, message: string): void => {
    const why = 'error' in facts ? `: ${messageWithoutValues(facts.error)}` : '';
    terminal.err(oneLine(`${message}${why}`));
  };
  const log: Logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: say,
    error: say,
    child: () => log,
  };
  return log;
}

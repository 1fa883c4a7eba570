import type { Terminal } from './output/terminal.js';

/** Dependencies of every command. */
export interface CommandContext {
  terminal: Terminal;
  /** Sets the exit code of the process. */
  end(exitCode: number): void;
}

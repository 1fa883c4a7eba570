import type { Terminal } from './output/terminal.js';

/** What every command works with. */
export interface CommandContext {
  terminal: Terminal;
  /** Says what the process ends with. */
  end(exitCode: number): void;
}

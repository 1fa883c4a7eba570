import type { DatasetKind } from '@casefile/kit/evaluation/dataset';
import type { Terminal } from './output/terminal.js';

/** Dependencies of every command. */
export interface CommandContext {
  terminal: Terminal;
  /** Sets the exit code of the process. */
  end(exitCode: number): void;
  /** Evaluations of the installed kinds, for `casefile eval`. Loaded only for this command. */
  evaluations: readonly DatasetKind[];
}

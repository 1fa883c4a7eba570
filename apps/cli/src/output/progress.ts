import { SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.js';

/** Progress of a long operation. */
export interface Progress {
  to(done: number): void;
  end(): void;
}

const SILENT: Progress = { to: () => undefined, end: () => undefined };

/**
 * Returns a progress bar with the remaining time if the output is a terminal; otherwise one that prints
 * nothing.
 */
export function terminalProgress(terminal: Terminal, what: string, total: number): Progress {
  if (!terminal.hasBar || total === 0) return SILENT;
  const bar = new SingleBar({
    format: `${what} {bar} {percentage}% | {eta_formatted} left`,
    clearOnComplete: true,
  });
  bar.start(total, 0);
  return { to: (done) => bar.update(Math.min(done, total)), end: () => bar.stop() };
}

import { open } from 'node:fs/promises';
import type { Terminal } from './terminal.js';

/**
 * Writes lines to a new file; without a file, to standard output.
 * @throws Error `EEXIST` if the file exists.
 */
export async function writeLines(
  file: string | undefined,
  terminal: Terminal,
  work: (write: (line: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const opened = file === undefined ? null : await open(file, 'wx');
  try {
    await work(async (line) => {
      if (opened === null) terminal.out(line);
      else await opened.write(`${line}\n`);
    });
  } finally {
    await opened?.close();
  }
}

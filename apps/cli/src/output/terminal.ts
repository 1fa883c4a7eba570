import type { Output } from '@casefile/kit/command-line/output';
import pc from 'picocolors';

export type Colors = ReturnType<typeof pc.createColors>;

/** Output of a command on this process's streams. */
export interface Terminal extends Output {
  /** Whether standard error is a terminal (for bars), and colours for standard output. */
  hasBar: boolean;
  colors: Colors;
  /** Number of characters in a line of output. */
  width: number;
}

const WIDTH_OF_A_PIPE = 160;

/**
 * Returns the process's own streams. Colours and bars appear only on a terminal, regardless of the
 * environment.
 */
export function processTerminal(): Terminal {
  const { stdout, stderr } = process;
  return {
    out: (line) => void stdout.write(`${line}\n`),
    err: (line) => void stderr.write(`${line}\n`),
    hasBar: stderr.isTTY === true,
    colors: pc.createColors(stdout.isTTY === true && pc.isColorSupported),
    width: stdout.columns ?? WIDTH_OF_A_PIPE,
  };
}

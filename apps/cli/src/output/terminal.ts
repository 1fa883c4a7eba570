import pc from 'picocolors';

export type Colors = ReturnType<typeof pc.createColors>;

/** Where a command writes: results to `out`, what is said about them to `err`. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Is a person watching standard error (bars), standard output (colours)? */
  hasBar: boolean;
  colors: Colors;
  /** Characters a line of output has room for. */
  width: number;
}

const WIDTH_OF_A_PIPE = 160;

/** The process's own streams: colours and bars only on a terminal, whatever else the environment says. */
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

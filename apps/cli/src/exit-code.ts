/** Exit codes of the command, documented in `casefile --help`. */
export const EXIT = {
  ok: 0,
  /** The command line was valid and the command failed. */
  failed: 1,
  /** The command line is invalid. */
  usage: 2,
} as const;

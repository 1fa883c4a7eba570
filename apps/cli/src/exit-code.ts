/** What the command ends with; documented in `casefile --help`. */
export const EXIT = {
  ok: 0,
  /** It was understood and failed. */
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
} as const;

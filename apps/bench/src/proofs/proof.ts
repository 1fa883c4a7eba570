/** What a proof needs from the program or spec that runs it. */
export interface ProofContext {
  seed: number;
  /** Small counts and no assertion about speed, for `npm test`. */
  short: boolean;
  /** Options of Node for the processes that a proof starts. A mutation is passed on to them this way. */
  execArgv: string[];
  say(line: string): void;
}

/** Result of one proof. */
export interface ProofResult {
  measured: string;
  passed: boolean;
}

/** A replacement in a source file that switches off the mechanism of a promise. */
export interface Replacement {
  /** File from the root of the repository. */
  file: string;
  /**
   * Text that occurs once in the file. White space and the kind of quotes do not matter. It is part of one
   * expression and has no type, `void`, `undefined` or needless parentheses, since compiled code differs there.
   */
  find: string;
  replace: string;
}

/** One promise of the product, the mechanism that keeps it, and a run that shows it. */
export interface Proof {
  /** `R1` to `R18`. */
  id: string;
  promise: string;
  mechanism: string;
  /** Required figure of the long form. */
  figure: string;
  /** Longest time of the long form, in minutes. A run that takes longer has failed. */
  limitMinutes: number;
  /** Proofs with the same name share one run in one process. */
  shares?: string;
  mutation: { what: string; replacements: Replacement[] };
  run(context: ProofContext): Promise<ProofResult>;
}

/** One row of the table of results. */
export interface ProofRow {
  id: string;
  measured: string;
  passed: boolean;
  seconds: number;
}

/** Runs one proof. An error is a failure with the error as its measured result. */
export async function runProof(proof: Proof, context: ProofContext): Promise<ProofRow> {
  const began = performance.now();
  const result = await proof.run(context).catch((error: unknown): ProofResult => {
    const message = error instanceof Error ? error.message : String(error);
    return { measured: `error: ${(message.split('\n')[0] ?? '').slice(0, 160)}`, passed: false };
  });
  return { id: proof.id, ...result, seconds: Math.round((performance.now() - began) / 1000) };
}

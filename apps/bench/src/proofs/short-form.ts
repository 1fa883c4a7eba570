import { PROOFS } from './index.js';
import { runProof, type Proof, type ProofRow } from './proof.js';

/** Runs a proof with small counts and without output, as the test suite does. */
export const runShort = (proof: Proof): Promise<ProofRow> =>
  runProof(proof, { seed: 7, short: true, execArgv: [], say: () => undefined });

/** Returns the proofs with these ids, for `it.each`. */
export const proofsNamed = (...ids: string[]): [string, string, Proof][] =>
  PROOFS.filter(({ id }) => ids.includes(id)).map((proof) => [proof.id, proof.promise, proof]);

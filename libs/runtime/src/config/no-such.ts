import type { FieldProblem } from '@casefile/contracts';

/** Returns the problem of a name in the settings that is not one of `known`. */
export function noSuch(noun: string, path: string, known: readonly string[]): FieldProblem {
  return { path, message: `there is no such ${noun}; expected one of ${known.join(', ')}` };
}

import type { ShownRun } from '@casefile/contracts';

/** A section of a run that only this kind of case shows. */
export interface RunSection {
  title: string;
  lines(run: ShownRun): string[];
}

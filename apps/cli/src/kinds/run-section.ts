import type { ShownRun } from '../client/console-client.js';

/** A section of a run that only this kind of case shows. */
export interface RunSection {
  title: string;
  lines(run: ShownRun): string[];
}

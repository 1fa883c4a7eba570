import type { ShownRun } from '../client/console-client.js';

/** A part of a run that a kind of case shows beyond what every kind does. */
export interface RunSection {
  title: string;
  lines(run: ShownRun): string[];
}

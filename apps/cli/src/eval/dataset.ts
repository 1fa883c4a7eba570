import { basename } from 'node:path';
import { InvalidInput, type AlertInput, type Json, type JsonObject, type z } from '@casefile/contracts';
import type { EvalCase, EvalKnowledge } from './eval-system.js';
import type { Interval } from './figures.js';
import type { JudgedRun } from './judged-run.js';
import type { Mark } from './marks.js';
import type { Terminal } from '../output/terminal.js';

/** What came of one labelled item: a line of the results file. */
export interface Judged {
  /** Of label and settings: the same again is not judged again. */
  key: string;
}

/** A line of the results file: what a kind keeps of an item, and what every kind keeps of its run. */
export type Line<J extends Judged = Judged> = J & { run: JudgedRun };

/** One item of a labelled set. */
interface Labelled<J extends Judged> {
  alert: AlertInput;
  /** Everything that is known of it, the alert included: another label is another question. */
  label: Json;
  /** The label in the deciding fields of the playbook: kept with its case, as what a person says of a verdict is. */
  outcome: JsonObject;
  /** What its case came to, beside its label. `totalMs`: from acceptance to verdict. */
  judged(key: string, found: EvalCase, totalMs: number): J;
}

/** An evaluation as data and for people. */
export interface Measures {
  found: object;
  lines: string[];
}

/** A labelled set that was read. */
export interface Dataset<J extends Judged = Judged> {
  items: Labelled<J>[];
  /** Of a line of the results file. */
  schema: z.ZodType<J>;
  /** Are its results kept in a file to go on from? Not those of a set that nobody may read, item by item. */
  keepsResults: boolean;
  /**
   * Sees to what the set needs in the knowledge bases, and returns what its verdicts depend on besides the run's settings.
   * @throws CasefileError that says what is missing.
   */
  prepare(knowledge: EvalKnowledge, terminal: Terminal): Promise<Record<string, Json>>;
  measure(judged: J[]): Measures;
  /** The label and the answer of each thing that an item labels: one, or several. */
  marksOf(judged: Line<J>): Mark[];
  /** Further shares of the kind, by a name in words. */
  rates(judged: readonly Line<J>[]): Record<string, Interval>;
}

/** A labelled set of the repository. */
export interface NamedSet {
  name: string;
  /** What it holds, in a few words. */
  about: string;
  path: string;
}

/**
 * Is this a set that nobody who works on rules or look-ups may read? Its file is called `unseen.jsonl` (or `unseen.` and
 * another ending), and only its totals are ever printed: no text, no id, no row that a single message could be told from.
 */
export function isUnseen(path: string): boolean {
  return /^unseen\./i.test(basename(path));
}

/** What the command line says of a labelled set. */
export interface DatasetOptions {
  format?: string;
  limit?: number;
  categories?: string;
  /** Measures the look-ups of a set instead of its verdicts; `patterns`: in this file of them. */
  lookUps?: boolean;
  patterns?: string;
}

/** A kind of labelled set: that of a playbook. */
export interface DatasetKind<J extends Judged = Judged> {
  playbook: string;
  /** What its items are called. */
  items: string;
  /** Labelled sets that come with the repository. The first is judged if none is named. */
  sets: readonly [NamedSet, ...NamedSet[]];
  /** Options of the command line that are for this kind alone. */
  options: readonly (keyof DatasetOptions)[];
  /** @throws InvalidInput that names every wrong place; CasefileError `unreadable_file`. */
  read(path: string, options: DatasetOptions): Promise<Dataset<J>>;
  /** Measures what is looked up before a verdict, without one; absent: there is nothing to measure. */
  lookUps?(path: string, options: DatasetOptions, signal: AbortSignal, terminal: Terminal): Promise<Measures>;
}

/** A part of an unseen set could be a single item. @throws InvalidInput if a limit is given for an unseen set. */
export function refuseLimit(path: string, { limit }: DatasetOptions): void {
  if (limit !== undefined && isUnseen(path))
    throw new InvalidInput(
      [{ path: '--limit', message: 'is refused: of an unseen set only the totals of all of it are given' }],
      'command line',
    );
}

/** At most so many, spread evenly over what there is; the same ones each time. null: all. */
export function spread<T>(all: T[], count: number | null): T[] {
  if (count === null || all.length <= count) return all;
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)] as T);
}

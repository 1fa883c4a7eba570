import { basename } from 'node:path';
import { InvalidInput, type AlertInput, type Json, type JsonObject, type z } from '@casefile/contracts';
import type { EvalCase, EvalKnowledge } from './eval-system.js';
import type { Interval } from './figures.js';
import type { JudgedRun } from './judged-run.js';
import type { Mark } from './marks.js';
import type { Terminal } from '../output/terminal.js';

/** Result of one labelled item: a line of the results file. */
export interface ItemResult {
  /** Digest of label and settings. An item with a known key is not judged again. */
  key: string;
}

/** A line of the results file: the fields of the kind, and the fields of the run that every kind has. */
export type Line<J extends ItemResult = ItemResult> = J & { run: JudgedRun };

/** One item of a labelled set. */
interface LabelledItem<J extends ItemResult> {
  alert: AlertInput;
  /** Everything that is known about the item, including the alert. A changed label makes a new item. */
  label: Json;
  /**
   * The label in the playbook's deciding fields. It is stored with the case, like a user's feedback on a
   * verdict.
   */
  outcome: JsonObject;
  /**
   * Returns the result of the item's case together with its label. `totalMs`: time from acceptance to
   * verdict.
   */
  labelledResult(key: string, evalCase: EvalCase, totalMs: number): J;
}

/** An evaluation as data and for people. */
export interface Measures {
  values: object;
  lines: string[];
}

/** A labelled set that was read. */
export interface Dataset<J extends ItemResult = ItemResult> {
  items: LabelledItem<J>[];
  /** Schema of a line of the results file. */
  schema: z.ZodType<J>;
  /**
   * Whether results are kept in a file to resume from. false for unseen sets: their items must not be read
   * one by one.
   */
  keepsResults: boolean;
  /**
   * Ensures that the knowledge bases hold what the set needs. Returns what its verdicts depend on besides the
   * run's settings.
   * @throws CasefileError that names what is missing.
   */
  prepare(knowledge: EvalKnowledge, terminal: Terminal): Promise<Record<string, Json>>;
  measure(results: J[]): Measures;
  /** Returns label and answer of each thing that an item labels: one or several. */
  marksOf(result: Line<J>): Mark[];
  /** Returns further shares that only this kind has, by name. */
  rates(results: readonly Line<J>[]): Record<string, Interval>;
}

/** A labelled set of the repository. */
export interface NamedSet {
  name: string;
  /** Content of the set in a few words. */
  about: string;
  path: string;
}

/**
 * Returns whether this is an unseen set, which people who work on rules or look-ups must not read. Its file
 * is called `unseen.` with any extension. Only its totals are printed: no text, no id, and no row that could
 * reveal a single message.
 */
export function isUnseen(path: string): boolean {
  return /^unseen\./i.test(basename(path));
}

/** Options of the command line about a labelled set. */
export interface DatasetOptions {
  format?: string;
  limit?: number;
  categories?: string;
  /** Measures the look-ups of a set instead of its verdicts, in the file `patterns` if one is given. */
  lookUps?: boolean;
  patterns?: string;
}

/** A kind of labelled set, for one playbook. */
export interface DatasetKind<J extends ItemResult = ItemResult> {
  playbook: string;
  /** Plural noun for its items. */
  items: string;
  /** Labelled sets of the repository. The first is the default. */
  sets: readonly [NamedSet, ...NamedSet[]];
  /** Options of the command line that only this kind has. */
  options: readonly (keyof DatasetOptions)[];
  /** @throws InvalidInput that names every wrong line or field; CasefileError `unreadable_file`. */
  read(path: string, options: DatasetOptions): Promise<Dataset<J>>;
  /**
   * Measures the look-ups before a verdict, without judging. Undefined: this kind has no look-ups to measure.
   */
  lookUps?(path: string, options: DatasetOptions, signal: AbortSignal, terminal: Terminal): Promise<Measures>;
}

/**
 * Refuses a limit for an unseen set, because a part of the set could be a single item. @throws InvalidInput.
 */
export function refuseLimit(path: string, { limit }: DatasetOptions): void {
  if (limit !== undefined && isUnseen(path))
    throw new InvalidInput(
      [{ path: '--limit', message: 'is refused: only the totals of a whole unseen set are shown' }],
      'command line',
    );
}

/** Returns at most `count` items, spread evenly and always the same ones. null: all. */
export function spread<T>(all: T[], count: number | null): T[] {
  if (count === null || all.length <= count) return all;
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)] as T);
}

import { basename } from 'node:path';
import {
  InvalidInput,
  type AlertInput,
  type Clock,
  type Json,
  type JsonObject,
  type RunSettings,
  type Tool,
  type z,
} from '@casefile/contracts';
import type { EvalCase, EvalKnowledge } from './eval-system.js';
import type { Interval } from './figures.js';
import type { JudgedRun } from './judged-run.js';
import type { ScoredAnswer } from './scored-answers.js';
import type { Output } from '../command-line/output.js';

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
  prepare(knowledge: EvalKnowledge, output: Output): Promise<Record<string, Json>>;
  measure(results: J[]): Measures;
  /** Returns label and answer of each thing that an item labels: one or several. */
  scoredAnswers(result: Line<J>): ScoredAnswer[];
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
  return /^(?:.{1,100}-)?unseen\./i.test(basename(path));
}

/** Options of the command line about a labelled set: `limit`, and those that the kind declares. */
export type DatasetOptions = { limit?: number } & Record<string, string | number | boolean | undefined>;

/** An option of `casefile eval` that not every kind has. */
export interface EvaluationOption {
  /** Name under which the kind reads it: `lookUps` for `--look-ups`. */
  name: string;
  /** `--format <name>`, or `--look-ups` for a switch. */
  flags: string;
  description: string;
}

/** Access to a tool for measures that make no verdict. */
export interface MeasuredTool {
  tool: Tool;
  /** Settings of a run of the kind. */
  settings: RunSettings;
  clock: Clock;
  signal: AbortSignal;
  /** Shows how many of the items are done. */
  progress(done: number, total: number): void;
}

/** A measure of a tool over a labelled set, without verdicts. */
export interface ToolMeasure {
  /** Name of the switch that selects it, one of the options of the kind. */
  option: string;
  tool: string;
  /** Name of the option with a file that replaces the knowledge base of the tool. */
  fileOption: string;
  measure(path: string, options: DatasetOptions, ports: MeasuredTool): Promise<Measures>;
}

/** A kind of labelled set, for one playbook. */
export interface DatasetKind<J extends ItemResult = ItemResult> {
  playbook: string;
  /** Plural noun for its items. */
  items: string;
  /** Format of its sets, in a few words. */
  format: string;
  /** Labelled sets of the kind. The first is the default. */
  sets: readonly [NamedSet, ...NamedSet[]];
  options: readonly EvaluationOption[];
  /** @throws InvalidInput that names every wrong line or field; CasefileError `unreadable_file`. */
  read(path: string, options: DatasetOptions): Promise<Dataset<J>>;
  /** Undefined: this kind has no tool to measure. */
  toolMeasure?: ToolMeasure;
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

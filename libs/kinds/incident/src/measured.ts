import { isObject, type IncidentResult, type ReadCitation } from '@casefile/contracts';
import type { Incident } from './alert.js';
import { samplesIn } from './causes/samples.js';
import type { Read } from './look-ups.js';

/** Newest values of the expression of an alert, as a look-up states them. */
export interface Measured {
  /** Newest line of each series, verbatim. */
  citations: ReadCitation[];
  /**
   * `holds`: a condition that still had a value at the end of the look-up. `over`: a condition that had none.
   * `value`: the expression has no condition, so its value says nothing about the alert.
   */
  state: 'holds' | 'over' | 'value';
}

/** Series that are shown. */
const MOST_SERIES = 3;
/** Samples by which the newest one may be older than the end of the look-up. */
const LATE_STEPS = 2;

/**
 * Returns what the look-ups of the alert's expression measured; null: no source evaluated it. A comparison of PromQL
 * has a value only while it holds.
 */
export function measuredIn(
  { expression }: Pick<Incident, 'expression'>,
  reads: readonly Read[],
): Measured | null {
  if (expression === null) return null;
  const own = reads.filter(({ args, gap }) => gap === null && isObject(args) && args['expr'] === expression);
  if (own.length === 0) return null;
  const isCondition = comparesIn(expression);
  const newest = own.flatMap((read) => newestLines(read, isCondition));
  const state = !isCondition ? 'value' : newest.length > 0 ? 'holds' : 'over';
  const said = newest.length > 0 ? newest : own.flatMap((read) => newestLines(read, false)).slice(0, 1);
  const empty = own.map(({ id, text }) => ({ id, quote: text.split('\n', 1)[0] ?? '' })).slice(0, 1);
  return { citations: said.length > 0 ? said.slice(0, MOST_SERIES) : empty, state };
}

/** The newest line of each series; with `atEnd`, only of those that reach the end of the look-up. */
function newestLines({ id, args, text }: Read, atEnd: boolean): ReadCitation[] {
  const newest = new Map<string, { at: number; quote: string }>();
  for (const { at, series, line: quote } of samplesIn(text)) {
    const known = newest.get(series);
    if (known === undefined || at >= known.at) newest.set(series, { at, quote });
  }
  const from = atEnd ? endOf(args) : -Infinity;
  return [...newest.values()].filter(({ at }) => at >= from).map(({ quote }) => ({ id, quote }));
}

/** Earliest time that counts as the end of a look-up, in milliseconds since the epoch. */
function endOf(args: Read['args']): number {
  const { end, step } = isObject(args) ? args : {};
  const at = Date.parse(typeof end === 'string' ? end : '');
  const seconds = /^(\d{1,9})s$/.exec(typeof step === 'string' ? step : '')?.[1];
  return Number.isNaN(at) ? -Infinity : at - LATE_STEPS * 1_000 * Number(seconds ?? 60);
}

/** Returns whether an expression compares, outside its texts and selectors. `bool` makes a value of a comparison. */
function comparesIn(expression: string): boolean {
  const bare = expression.replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '').replace(/\{[^{}]*\}/g, '');
  return (
    (/[<>]=?|[!=]=/.test(bare) && !/\bbool\b/.test(bare)) || /\babsent(?:_over_time)?\s{0,9}\(/.test(bare)
  );
}

const SAYS: Readonly<Record<Measured['state'], string>> = {
  holds: 'The condition of the alert still held when it was looked up',
  over: 'The condition of the alert no longer held when it was looked up',
  value: 'Measured',
};

/** Returns what was measured as one sentence, with its citations. Empty: nothing was. */
export function measuredSentence({ measured }: Pick<IncidentResult, 'measured'>): string[] {
  if (measured === undefined) return [];
  const values = measured.citations.map(({ id, quote }) => `${quote} [${id}]`);
  return [`${SAYS[measured.state]}: ${values.join('; ')}.`];
}

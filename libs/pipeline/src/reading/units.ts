import counted from './words/counted.json' with { type: 'json' };
import table from './words/units.json' with { type: 'json' };
import { behind, behindMeasured, compileTable, firstKey, type Words } from './words.js';

const measures: Readonly<Record<string, Words>> = table.measures;
const BEHIND = compileTable({ ...measures, ...counted.classes }, behind);
const BEFORE = Object.entries(measures).flatMap(([key, { before }]) =>
  before === undefined ? [] : [[key, new RegExp(`(?<![a-z])(?:${before}) ?$`, 'iu')] as const],
);
/** Currency names and signs before a figure, for patterns. */
export const CURRENCY = Object.values(measures)
  .flatMap(({ before }) => before ?? [])
  .join('|');
const MEASURES = new Set(Object.keys(measures));
const CLASSES = new Set(Object.keys(counted.classes));
const ALWAYS_WRITTEN = new Set(table.alwaysWritten.split(' '));
const LONGEST = 20;

/** Measures, each with a pattern for its words directly behind a measured value. */
export const MEASURED = compileTable(measures, behindMeasured);
/** Returns the currency that is written before a number; null: none. */
export const currencyBefore = (lead: string): string | null => firstKey(BEFORE, lead);

/** Returns whether a unit is a measure, such as `percent` or `usd`, and not a class of things. */
export const isMeasure = (unit: string | null): boolean => unit !== null && MEASURES.has(unit);
/** Returns whether a unit is always written next to its figure. */
export const isAlwaysWritten = (unit: string): boolean => ALWAYS_WRITTEN.has(unit);

/** Returns the unit behind the number that ends at `end`, or the currency before it; null: none is written. */
export function unitAt(text: string, at: number, end: number): string | null {
  const rest = text.slice(end, end + LONGEST).replace(/^ ?[多餘]/u, '');
  const lead = text.slice(Math.max(0, at - 8), at);
  return firstKey(BEHIND, rest) ?? firstKey(BEFORE, lead);
}

/** Returns the length of the unit behind a number; 0: none. */
export function unitLength(rest: string): number {
  const start = rest.slice(0, LONGEST);
  for (const [, form] of BEHIND) {
    const [said = ''] = form.exec(start) ?? [];
    if (said !== '') return said.length;
  }
  return 0;
}

/** Returns whether two units may be written for each other. Classes of things are interchangeable: `23 名`, `23 人`. */
export function isSameUnit(a: string | null, b: string | null): boolean {
  if (a === null || b === null || a === b) return true;
  return (CLASSES.has(a) && CLASSES.has(b)) || isAlikeMeasure(a, b);
}

/** Returns whether two different measures may be written for each other, as `dollars` and `usd`. */
export const isAlikeMeasure = (a: string, b: string): boolean =>
  table.alike.some((group) => group.includes(a) && group.includes(b));

const NAMED = new Map(
  Object.entries(measures).flatMap(([key, { zh: _zh, ja: _ja, ambiguous: _ambiguous, ...lists }]) =>
    Object.values(lists).flatMap((list) => wholeWords(list ?? '').map((word) => [word, key] as const)),
  ),
);

// The forms of a list without marks of regular expressions other than an optional last letter.
function wholeWords(list: string): string[] {
  return list
    .split('|')
    .map((word) => word.replaceAll(/\(\?<= \)|\\(?=[$.])/g, '').toLowerCase())
    .flatMap((word) => (word.endsWith('?') ? [word.slice(0, -1), word.slice(0, -2)] : [word]))
    .filter((word) => /^[^()[\]\\?-]+$/.test(word));
}

/** Returns the key of a unit that a value names: `Tage` and `day` are `days`, `$` is `usd`; any other unit as it is. */
export function unitFrom(written: string): string {
  const unit = written.normalize('NFKC').trim().toLowerCase();
  const key = NAMED.get(unit) ?? unit;
  // A bare dollar is one of the United States unless something else is written.
  return key === 'dollars' ? 'usd' : key;
}

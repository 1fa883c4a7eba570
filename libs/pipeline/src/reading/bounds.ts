import table from './words/comparison.json' with { type: 'json' };
import { hasNegation } from './negation.js';
import { CURRENCY } from './units.js';
import { anyOf, compileTable, firstKey, type Words } from './words.js';

/**
 * Relation of a figure to the stated value. `from` and `to` are the ends of a range; `nearly` is a value just
 * below, `somewhat_over` one just above.
 */
export type Bound =
  | 'exact'
  | 'exactly'
  | 'about'
  | 'nearly'
  | 'over'
  | 'somewhat_over'
  | 'least'
  | 'under'
  | 'most'
  | 'from'
  | 'to';

/** Characters between a comparative and its figure. */
const LINK = `(?:為|是|有|達|到|了|的|每(?:人|戶|件|次|天|日|週|月|年|小時|公斤|度)|another|an?(?: average of)?|the|of)? ?(?:${CURRENCY})? ?$`;
/** Units, and what may stand between a figure and the words behind it. */
const UNIT = '(?:級|歲|元|人|度|戶|件|天|年|次|%|％)?(?:\\(含\\)|（含）|及|或)?';

/** Negations come first, because `不超過` contains `超過`. */
const BEFORE = compileTable(table.before, (words) => `(?:${anyOf(words)}) ?${LINK}`);
const BEHIND = compileTable(table.behind, ({ zh = '(?!)', sign = '(?!)', ...spaced }) =>
  Object.keys(spaced).length === 0
    ? `^${UNIT}(?:${zh})`
    : `^${UNIT}(?:${zh})|^(?:${sign})|^[^.;,]{0,12}?(?<![\\p{L}\\p{N}])(?:${anyOf(spaced)})`,
);
const SOMEWHAT_OVER = /^ ?[多餘來](?!源|自|得|名額)|^ ?(?:出頭|-?odd\b)/u;
const RANGE = new RegExp(
  `^ ?(?:%|％|元|人|年|歲|萬元)? ?(?:[~～–—-]|${table.range.zh}|${table.range.en}|${table.range.de}) ?(?:${CURRENCY})?$`,
  'iu',
);
const LONGEST = 40;

/** Position of a figure in its text. */
interface Placed {
  from: number;
  /** Position after the numeral, before its unit. */
  end: number;
  /** The figure with its unit. */
  said: string;
}

/** Words of English that state a limit before a figure, for patterns. */
export const comparisonWords = (bound: 'most' | 'least'): string => table.before[bound].en;

const COMPARISONS = new RegExp(
  [...Object.values(table.before), ...Object.values(table.behind)].map(anyOf).join('|'),
  'giu',
);
/** Returns a text without the words that compare (`no more than`, `nicht überschreiten`), which negate nothing. */
export const withoutComparisons = (text: string): string => text.replaceAll(COMPARISONS, ' ');

/** Returns the relation that the words before a figure state, and where they begin; null: they state none. */
export function boundBefore(lead: string): { bound: Bound; from: number } | null {
  for (const [bound, form] of BEFORE) {
    const match = form.exec(lead);
    if (match !== null) return { bound: bound as Bound, from: match.index };
  }
  return null;
}

/** Returns the relation that the words behind a figure and its unit state; null: they state none. */
export const boundBehind = (behind: string): Bound | null =>
  firstKey(BEHIND, behind.slice(0, LONGEST)) as Bound | null;

/** Returns the relation of a figure to its value, by the words between it and its neighbouring figures. */
export function boundOf(
  text: string,
  figure: Placed,
  { previous, next }: { previous: Placed | undefined; next: Placed | undefined },
): Bound {
  const { from, end, said } = figure;
  const bound = boundBefore(text.slice(Math.max(0, from - LONGEST, previous?.end ?? 0), from));
  if (bound !== null) return bound.bound;
  if (SOMEWHAT_OVER.test(text.slice(end, end + 8))) return 'somewhat_over';
  const last = Math.max(end, from + said.length);
  const behind = boundBehind(text.slice(last, Math.min(next?.from ?? last + LONGEST, last + LONGEST)));
  if (behind !== null) return behind;
  const joined = (a: Placed, b: Placed) =>
    RANGE.test(text.slice(a.end, b.from).replace(/^[^\s\d至到~～–—-]{0,4}/u, ''));
  // In `by 31,000 to 604,000` the first figure is a change and the second its result.
  const isChange = (one: Placed) => /\bby [$€£]?$/iu.test(text.slice(Math.max(0, one.from - 5), one.from));
  if (previous !== undefined && !isChange(previous) && joined(previous, figure)) return 'to';
  return next !== undefined && !isChange(figure) && joined(figure, next) ? 'from' : 'exact';
}

/** Returns the place value of the last digit that is not zero. A rounded figure is exact to this place. */
function lastPlace(value: number): number {
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const decimals = (mantissa.split('.')[1] ?? '').length;
  return 10 ** (Number(exponent) - decimals);
}

/** Returns whether two values are equal, apart from the error of binary fractions. */
export const isSameValue = (a: number, b: number): boolean => Math.abs(a - b) <= Math.abs(b) * 1e-9;

/** For each bound of a claim, the bounds of a source with the same value that support it. */
const SUPPORTS: Readonly<Record<Bound, string>> = table.supports;
const UPWARDS = new Set<Bound>(['over', 'somewhat_over', 'least']);
const DOWNWARDS = new Set<Bound>(['under', 'most', 'nearly']);
/** Largest difference between a rounded claim and the figure of its source, as a share of that figure. */
const ROUNDED = 0.1;
const OPEN_ENDED = 0.3;

/** A value and how it is bounded. */
interface BoundedValue {
  value: number;
  bound: Bound;
}

/**
 * Returns whether a figure of a source supports a claimed one. The interval of the source must be inside that
 * of the claim. A rounded claim must be within its last written place, and within a tenth (three tenths with
 * a comparative) of the source's value.
 */
export function isWithin(claimed: BoundedValue, source: BoundedValue): boolean {
  if (isSameValue(claimed.value, source.value))
    return SUPPORTS[claimed.bound].split(' ').includes(source.bound);
  return isRoundedFrom(claimed, source);
}

/** Returns whether a rounded or open-ended claim fits another value of a source. */
export function isRoundedFrom(claimed: BoundedValue, source: BoundedValue): boolean {
  const [c, s] = [claimed.value, source.value];
  if (c === 0 || s === 0) return false;
  const up = UPWARDS.has(claimed.bound);
  const down = DOWNWARDS.has(claimed.bound);
  if (!up && !down && claimed.bound !== 'about') return false;
  if (up && (s < c || DOWNWARDS.has(source.bound))) return false;
  if (down && (s > c || UPWARDS.has(source.bound))) return false;
  const gap = Math.abs(c - s);
  return gap <= lastPlace(c) && gap <= Math.abs(s) * (claimed.bound === 'about' ? ROUNDED : OPEN_ENDED);
}

const compares = (words: Words): RegExp =>
  new RegExp(`^[^，。；,;]{0,40}(?:${anyOf(words)})[^，。；,;]{0,30}$`, 'iu');
const EXCEEDS = compares(table.before.over);
const FALLS_SHORT = compares(table.before.under);

/** Returns whether a sentence compares two of its own figures wrongly: `0.98 exceeds the limit of 2.0`. */
export function comparesWrongly(
  text: string,
  a: BoundedValue & Placed,
  b: BoundedValue & Placed,
  isSameUnit: boolean,
): boolean {
  const between = text.slice(a.end, b.from);
  if (!isSameUnit || a.value === b.value || hasNegation(between)) return false;
  return a.value < b.value ? EXCEEDS.test(between) : FALLS_SHORT.test(between);
}

/** Returns whether two intervals do not overlap, so that both cannot be true of one quantity. */
export function isApart(a: BoundedValue, b: BoundedValue): boolean {
  const [low, high] = a.value <= b.value ? [a, b] : [b, a];
  if (UPWARDS.has(low.bound) || DOWNWARDS.has(high.bound)) {
    return (
      isSameValue(low.value, high.value) &&
      ((low.bound === 'over' && high.bound === 'under') || (low.bound === 'under' && high.bound === 'over'))
    );
  }
  const isRough = [low, high].some(({ bound }) => bound === 'about' || bound === 'nearly');
  return high.value - low.value > Math.abs(high.value) * (isRough ? ROUNDED : 1e-9);
}

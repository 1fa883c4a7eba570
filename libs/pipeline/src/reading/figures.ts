import { boundOf, isRoundedFrom, isSameValue, type Bound } from './bounds.js';
import { datesIn } from './dates.js';
import { scaleBehind, scaleFactor, wordNumbersIn } from './number-words.js';
import { numeralAt, round, wholeNumeral } from './numerals.js';
import { isMeasure, isSameUnit, unitAt, unitLength } from './units.js';

/** A figure of a text with its unit. */
export interface Figure {
  value: number;
  /** Unit of the figure; null: not stated. */
  unit: string | null;
  /** Relation to the value that the words before and behind the figure state. */
  bound: Bound;
  said: string;
  from: number;
  /** Position after the numeral and its scale, before the unit. */
  end: number;
  /** true for `一個`, `one` and the like: valid as a figure of a source, but no claim in a report. */
  isSlight: boolean;
}

const LETTER = /[A-Za-z]/;
/** Classes of things of which two are a claim: `兩人`, not `兩件事`. */
const CLAIMED_IN_PAIRS: ReadonlySet<string | null> = new Set(['visit', 'person', 'household', 'firm']);
/** A number whose comma may stand before decimals or separate thousands. */
const TWO_READINGS = /^0\d{0,20}(?:,\d{3}){1,6}(?!\d)/;
const LONGEST = 50;

/** A figure whose bound was not read yet, because the figures next to it limit the words that state it. */
type Unbound = Omit<Figure, 'bound'>;

/**
 * Returns every figure of a text that is not part of a date, in the order of the text. Linear: each character is
 * read a bounded number of times.
 */
export function figuresIn(text: string): Figure[] {
  const dates = datesIn(text);
  const figures: Unbound[] = [];
  let next = 0;
  for (let at = 0; at < text.length;) {
    while (next < dates.length && dates[next]!.to <= at) next += 1;
    const date = dates[next];
    if (date !== undefined && at >= date.from) {
      at = date.to;
      continue;
    }
    const read = figureAt(text, at);
    if (read === null) {
      at += 1;
      continue;
    }
    if (read.figure !== null) figures.push(read.figure);
    at = read.end;
  }
  const inWords = wordNumbersIn(text).map(({ value, from, end, isWord }) => {
    const scaled = scaledBy(text, { value, end });
    const figure = parseFigure(text, from, { ...scaled, unit: unitAt(text, from, scaled.end) });
    return { ...figure, isSlight: isWord && scaled.end === end };
  });
  const all = [...figures, ...inWords].sort((a, b) => a.from - b.from);
  return all.map((figure, i) => ({
    ...figure,
    bound: boundOf(text, figure, { previous: all[i - 1], next: all[i + 1] }),
  }));
}

function figureAt(text: string, at: number): { figure: Unbound | null; end: number } | null {
  if (text.startsWith('百分之', at)) {
    const share = numeralAt(text, at + 3);
    return share === null
      ? null
      : { figure: parseFigure(text, at, { ...share, unit: 'percent' }), end: share.end };
  }
  const [ambiguous] = (text[at] === '0' ? TWO_READINGS.exec(text.slice(at, at + LONGEST)) : null) ?? [];
  if (ambiguous !== undefined) return { figure: null, end: at + ambiguous.length };
  // `百分點` is a unit, not a hundred.
  const numeral = text.startsWith('百分', at) ? null : numeralAt(text, at);
  if (numeral === null) return null;
  const { end, hasFigures, value } = numeral;
  const before = text[at - 1] ?? '';
  // Skips parts of a word or id (`E3`, `COVID-19`, `5G`) and numbers of list items.
  if (hasFigures && (LETTER.test(before) || (before === '-' && LETTER.test(text[at - 2] ?? ''))))
    return { figure: null, end };
  const tenths = /^成(?!立|為|長|功|本|員|果|效|年|人|分|績|交|形|品)([一二三四五六七八九半])?/u.exec(
    text.slice(end, end + 3),
  );
  if (tenths !== null && value >= 1 && value <= 10) {
    const [whole, more = ''] = tenths;
    const percent = value * 10 + (more === '半' ? 5 : (wholeNumeral(more) ?? 0));
    return {
      figure: parseFigure(text, at, { value: percent, end: end + whole.length, unit: 'percent' }),
      end: end + whole.length,
    };
  }
  // Skips the tier of a source, which is a term of this project and not a figure of the source.
  if (isTier(text, at, end)) return { figure: null, end };
  const scaled = scaledBy(text, numeral);
  const unit = unitAt(text, at, scaled.end);
  // Skips unknown multiples of a hundred or thousand, and Chinese numerals that are words: 一般, 三立, 統一.
  if (!hasFigures && (/[數幾好上統第]/u.test(before) || (unit === null && (numeral.isPlain || end - at < 2))))
    return { figure: null, end };
  if (hasFigures && /^[A-Za-z]/.test(text.slice(scaled.end)) && unit === null && scaled.end === end)
    return { figure: null, end };
  // `一個` and `兩件事` are figures of speech rather than counts.
  const isSlight =
    !hasFigures && (value === 1 || (value === 2 && !isMeasure(unit) && !CLAIMED_IN_PAIRS.has(unit)));
  const figure = parseFigure(text, at, { value: scaled.value, end: scaled.end, unit });
  return { figure: { ...figure, isSlight }, end: scaled.end };
}

const isTier = (text: string, at: number, end: number): boolean =>
  /tier ?$/i.test(text.slice(Math.max(0, at - 5), at)) ||
  (/第 ?$/u.test(text.slice(Math.max(0, at - 2), at)) &&
    /^ ?[、與和]? ?(?:第|[1-5] ?級|級)/u.test(text.slice(end, end + 6)));

function scaledBy(
  text: string,
  { value, end }: { value: number; end: number },
): { value: number; end: number } {
  const scale = scaleBehind(text, end);
  return { value: round(value * scaleFactor(scale.replace(/^[ -]/, ''))), end: end + scale.length };
}

function parseFigure(
  text: string,
  from: number,
  { value, end, unit }: { value: number; end: number; unit: string | null },
): Unbound {
  const said = text.slice(from, end + unitLength(text.slice(end)));
  return { value, unit, said, from, end, isSlight: false };
}

/**
 * Returns whether a figure of a source supports a claimed one: the units agree, and the values agree exactly
 * or within the stated rounding.
 */
export function sameFigure(claimed: Figure, source: Figure): boolean {
  return (
    isSameUnit(claimed.unit, source.unit) &&
    (isSameValue(claimed.value, source.value) || isRoundedFrom(claimed, { ...source, bound: 'exact' }))
  );
}

const N = '(\\d{1,3}|[一二兩三四五六七八九十]{1,3})';
/** An hour of the afternoon or evening, counted from noon. */
const AFTERNOON = new RegExp(`(?:下午|傍晚|晚間|晚上|夜間|深夜) ?${N}(?=[時點:])`, 'gu');
const PM = /\b(\d{1,2})(?:[:.]\d{2})? ?p\.?m\b/giu;
/** An hour of the afternoon or evening, counted from midnight. */
const FROM_MIDNIGHT = /(?<!\d)(1[3-9]|2[0-3])(?=[時點:])/gu;
/** A duration in days. `3日` alone is a day of the month. */
const DAYS = new RegExp(`(?:連續|連|為期|共|長達|歷時) ?${N} ?[日天]`, 'gu');

/**
 * Returns figures of a source in other forms that a report may use: hours of the 12-hour or 24-hour clock,
 * and durations in days.
 */
export function figuresOtherwise(text: string): Figure[] {
  const read = (form: RegExp, unit: string, by: (value: number) => number | null): Figure[] =>
    [...text.matchAll(form)].flatMap(({ 0: said, 1: numeral = '', index: from }) => {
      const whole = wholeNumeral(numeral);
      const value = whole === null ? null : by(whole);
      return value === null
        ? []
        : [{ value, unit, bound: 'exact' as const, said, from, end: from + said.length, isSlight: false }];
    });
  const later = (hour: number) => (hour >= 1 && hour <= 11 ? hour + 12 : null);
  return [
    ...read(AFTERNOON, 'clock', later),
    ...read(PM, 'clock', later),
    ...read(FROM_MIDNIGHT, 'clock', (hour) => hour - 12),
    ...read(DAYS, 'days', (days) => days),
  ];
}

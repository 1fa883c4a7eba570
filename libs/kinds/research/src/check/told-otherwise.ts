import type { DateClaim } from './dates.js';
import type { Figure } from './figures.js';
import { wholeNumeral } from './numerals.js';

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
      const told = wholeNumeral(numeral);
      const value = told === null ? null : by(told);
      return value === null
        ? []
        : [{ value, unit, rounding: 'exact' as const, said, from, end: from + said.length, isSlight: false }];
    });
  const later = (hour: number) => (hour >= 1 && hour <= 11 ? hour + 12 : null);
  return [
    ...read(AFTERNOON, 'clock', later),
    ...read(PM, 'clock', later),
    ...read(FROM_MIDNIGHT, 'clock', (hour) => hour - 12),
    ...read(DAYS, 'days', (days) => days),
  ];
}

const YEARS: readonly (readonly [RegExp, number])[] = [
  [/前年/u, -2],
  [/去年|\blast year\b/iu, -1],
  [/今年|\bthis year\b/iu, 0],
  [/明年|\bnext year\b/iu, 1],
];
const MONTHS: readonly (readonly [RegExp, number])[] = [
  [/上個?月|\blast month\b/iu, -1],
  [/本月|這個月|\bthis month\b/iu, 0],
  [/下個?月|\bnext month\b/iu, 1],
];

/** Returns the years and months that a source names relative to its publication day: 明年, last month. */
export function datesFrom(text: string, day: DateClaim | null): DateClaim[] {
  const { y, m } = day ?? {};
  if (y === undefined || m === undefined) return [];
  const years = YEARS.filter(([form]) => form.test(text)).map(([, more]) => ({ y: y + more }));
  const months = MONTHS.filter(([form]) => form.test(text)).map(([, more]) => {
    const at = y * 12 + (m - 1) + more;
    return { y: Math.floor(at / 12), m: (at % 12) + 1 };
  });
  return [...years, ...months];
}

const SMALL = new Set(['of', 'and', 'the', 'for', 'on', 'in', 'to']);

/** Returns whether a text has words with these initials. `CPSC`: Consumer Product Safety Commission. */
export function isSpelledOut(letters: string, text: string): boolean {
  if (!/^[A-Z]{3,6}$/.test(letters)) return false;
  const initials = (text.match(/[A-Za-z]+/g) ?? [])
    .filter((word) => !SMALL.has(word))
    .map((word) => (/^[A-Z][a-z]/.test(word) ? word.charAt(0) : ' '));
  return initials.join('').includes(letters);
}

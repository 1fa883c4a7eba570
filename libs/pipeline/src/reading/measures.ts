import table from './words/conversions.json' with { type: 'json' };
import { parseNumber } from './digits.js';
import type { Relation } from './limits.js';
import { currencyBefore, isAlwaysWritten, isMeasure, MEASURED, unitFrom } from './units.js';

/** A value in the base unit of its dimension. */
export interface Measure {
  /** `time`, `mass`, or the unit itself if it converts to no other one: `eur`. */
  dimension: string;
  base: number;
}

/** Dimension of each unit, and its value in the base unit. */
const BASES: ReadonlyMap<string, Measure> = new Map(
  Object.entries(table.factors as Record<string, Record<string, number>>).flatMap(([dimension, factors]) =>
    Object.entries(factors).map(([unit, base]): [string, Measure] => [unit, { dimension, base }]),
  ),
);
const ALIASES: Readonly<Partial<Record<string, string>>> = table.aliases;
const TEMPERATURES: Readonly<Record<string, (value: number) => number>> = {
  celsius: (value) => value,
  fahrenheit: (value) => ((value - 32) * 5) / 9,
  kelvin: (value) => value - 273.15,
};

/** Returns a value with its unit in the base unit of its dimension. */
export function measureOf(value: number, written: string): Measure {
  const named = unitFrom(written);
  const unit = ALIASES[named] ?? named;
  const temperature = TEMPERATURES[unit];
  if (temperature !== undefined) return { dimension: 'temperature', base: temperature(value) };
  const one = BASES.get(unit);
  return one === undefined
    ? { dimension: unit, base: value }
    : { dimension: one.dimension, base: value * one.base };
}

/** A unit next to a number, with its measure for the value 1, and its length behind the number. */
export interface WrittenUnit extends Measure {
  unit: string;
  length: number;
}

const CONVERTED = MEASURED.flatMap(([key, form]) => {
  const unit = unitFrom(key);
  const one = measureOf(1, unit);
  return one.dimension !== unit || isAlwaysWritten(key) ? [{ unit, form, ...one }] : [];
});
const BY_UNIT = new Map(CONVERTED.map((one) => [one.unit, one]));

/**
 * Returns the unit directly behind a number, or the currency before it, if it is one that converts to others or a
 * currency; null: there is none.
 */
export function writtenUnit(lead: string, behind: string): WrittenUnit | null {
  for (const { form, ...unit } of CONVERTED) {
    const [said = ''] = form.exec(behind) ?? [];
    if (said !== '') return { ...unit, length: said.length };
  }
  const currency = currencyBefore(lead);
  const own = currency === null ? undefined : BY_UNIT.get(unitFrom(currency));
  return own === undefined ? null : { ...own, length: 0 };
}

const PART = /(-?\d[\d.,]*)\s?([%°]?[\p{L}²³/%]{0,16})/gu;
/** A point or a comma before three digits, which separates thousands in one country and decimals in another. */
const TWO_READINGS: Readonly<Record<'point' | 'comma', RegExp>> = {
  point: /^\d{1,3}\.\d{3}$/,
  comma: /^\d{1,3},\d{3}$/,
};

/**
 * Returns the measure that a fact states: `340` with the unit `min`, `5 h 40`, `1.499,00` with `EUR`; null: it
 * states none, or its number has two readings.
 */
export function measureIn(
  value: string | number | boolean,
  unit: string | undefined,
  language: string,
): Measure | null {
  if (typeof value === 'number') return unit === undefined ? null : measureOf(value, unit);
  if (typeof value !== 'string' || value.length > 40) return null;
  const parts = [...value.matchAll(PART)];
  if (parts.length === 0 || value.replaceAll(PART, '').trim() !== '') return null;
  const own = parts.map(([, figure = '', said = ''], i) => {
    // `10 h 45`: the last figure counts minutes.
    const follows = i > 0 && said === '' && measureOf(1, parts[i - 1]![2] ?? '').base === 3600;
    const written = said === '' ? (follows ? 'min' : parts.length === 1 ? unit : undefined) : said;
    const number = plainNumber(figure, language);
    return number === null || written === undefined ? null : measureOf(number, written);
  });
  const read = own.filter((one) => one !== null);
  const [first] = read;
  if (first === undefined || read.length < own.length) return null;
  if (read.some(({ dimension }) => dimension !== first.dimension)) return null;
  if (read.length > 1 && first.dimension !== 'time') return null;
  return { dimension: first.dimension, base: read.reduce((sum, { base }) => sum + base, 0) };
}

function plainNumber(figure: string, language: string): number | null {
  const isEnglish = language.startsWith('en');
  return TWO_READINGS[isEnglish ? 'point' : 'comma'].test(figure) ? null : parseNumber(figure, language);
}

const SAME = 1e-9;
/** Shortest and longest time from the start of one month to that of a later one differ by these days. */
const DAYS_OFF = 3;
const DAYS_A_MONTH = 30.436875;
const DAY = 86_400;

/**
 * Returns whether a value keeps a limit; null: the two are not comparable, or it depends on the length of a month.
 */
export function compareMeasures(value: Measure, relation: Relation, limit: Measure): boolean | null {
  const bounds = [value, limit].map((one) => inDays(one, value.dimension !== limit.dimension));
  const [of, to] = bounds;
  if (of === undefined || to === undefined || of.dimension !== to.dimension) return null;
  const [low, high] = [of.low - to.high, of.high - to.low].map((gap) =>
    Math.abs(gap) <= SAME * Math.max(1, Math.abs(to.high)) ? 0 : gap,
  ) as [number, number];
  const [first, second] = [low, high].map((gap) => holds(gap, relation));
  return first === second ? first! : null;
}

function holds(gap: number, relation: Relation): boolean {
  if (relation === 'most') return gap <= 0;
  if (relation === 'least') return gap >= 0;
  return relation === 'over' ? gap > 0 : gap < 0;
}

function inDays(
  { dimension, base }: Measure,
  isMixed: boolean,
): { dimension: string; low: number; high: number } {
  if (!isMixed || dimension !== 'calendar') return { dimension, low: base, high: base };
  const days = base * DAYS_A_MONTH;
  return { dimension: 'time', low: (days - DAYS_OFF) * DAY, high: (days + DAYS_OFF) * DAY };
}

/** Returns whether a unit converts to others or is a currency, so that two different ones are never equal. */
export const isKnownUnit = (unit: string): boolean =>
  isMeasure(unitFrom(unit)) || measureOf(1, unit).dimension !== unitFrom(unit);

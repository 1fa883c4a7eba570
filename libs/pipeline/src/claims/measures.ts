import { parseNumber } from '../reading/index.js';
import { scaleFactor, wordNumbersIn } from '../reading/number-words.js';
import { writtenUnit } from '../reading/measures.js';
import { isAlikeMeasure } from '../reading/units.js';

/** A number with its unit. */
export interface Measure {
  /** `time`, `calendar`, `share`, `bytes`, a currency, as `measureOf` names it; null: a bare number. */
  dimension: string | null;
  /** Normal form of the unit, such as `milliseconds`; '': none. */
  unit: string;
  value: number;
  /** The value in the base unit of its dimension; of a share, from 0 to 1. */
  base: number;
  from: number;
  to: number;
  said: string;
}

const NUMBER =
  /(?<!(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\d.,:/_-])\d{1,15}(?:[.,\u00a0\u202f']\d{3})*(?:[.,]\d{1,8})?(?![\d:]|[.,]\d|-\d)/gu;
const SCALE =
  /^ ?(?:(k|thousand|tsd\.?|mil|mille|万|萬|千|тыс\.?|tys\.?)|(m|million(?:en|s|es)?|mio\.?|mln\.?|millones|milh(?:ão|ões)|milion(?:e|i|y|ów)|百万|百萬|млн\.?)|(bn|billions?|mrd\.?|milliarden?|milliards?|miliard(?:i|y|ów)?|mil millones|十亿|十億|млрд\.?)|(亿|億))(?![\p{L}\p{N}])/iu;
const SCALES = [1e3, 1e6, 1e9, 1e8];
const PERCENT = 100;
const MOST = 400;
const LOOK = 24;
/** First signs of a unit, so that most numbers are compared with no unit. */
const MAY_BE_UNIT = /^[\s-]?[\p{L}\p{Sc}%‰]/u;
const MAY_BE_CURRENCY = /[\p{L}\p{Sc}]\s?$/u;
const MOST_READ = 20_000;

/** Returns the numbers of a text with their units, in their order; at most 400. Linear. */
export function measuresIn(text: string, language: string | null = null): Measure[] {
  const read = text.slice(0, MOST_READ);
  const inWords = wordNumbersIn(read).map(({ value, from, end }) => measureAt(read, from, end, value));
  const inDigits = [...read.matchAll(NUMBER)].flatMap(({ 0: digits, index }) => {
    const value = parseNumber(digits, language ?? 'en') ?? parseNumber(digits.replace(/\s/g, ''));
    return value === null ? [] : [measureAt(read, index, index + digits.length, value)];
  });
  return [...inWords, ...inDigits].sort((a, b) => a.from - b.from).slice(0, MOST);
}

function measureAt(text: string, from: number, end: number, number: number): Measure {
  const scale = SCALE.exec(text.slice(end, end + LOOK));
  const at = scale === null ? -1 : scale.slice(1).findIndex((part) => part !== undefined);
  const word = /^[ -]?(million|billion|thousand|hundred|trillion)\b/i.exec(text.slice(end, end + LOOK));
  // `5 m` may be metres or minutes: a bare letter is a scale only next to the digits.
  const isScale = scale !== null && !(scale[0].length === 2 && scale[0].startsWith(' '));
  const factor = word !== null ? scaleFactor(word[1]) : isScale ? SCALES[at]! : 1;
  const to = end + (word !== null ? word[0].length : isScale ? scale[0].length : 0);
  const value = number * factor;
  const behind = text.slice(to, to + LOOK);
  const lead = text.slice(Math.max(0, from - 8), from);
  const isUnit = MAY_BE_UNIT.test(behind) || MAY_BE_CURRENCY.test(lead);
  const unit = isUnit ? writtenUnit(lead, behind) : null;
  const length = unit?.length ?? 0;
  return {
    dimension: unit?.dimension ?? null,
    unit: unit?.unit ?? '',
    value,
    base: value * (unit === null ? 1 : unit.dimension === 'share' ? unit.base / PERCENT : unit.base),
    from,
    to: to + length,
    said: text.slice(from, to + length),
  };
}

/** Largest relative difference of a rounded value; of bytes, which count thousands or 1,024. */
const ROUNDED = 0.006;
const BYTES = 0.1;

/** Returns whether two measures state the same quantity: `650 ms` and `0.65 s`, `35 %` and `0.35`. */
export function isSameMeasure(a: Measure, b: Measure): boolean {
  if (a.dimension === b.dimension) {
    const most = a.dimension === 'bytes' && a.unit !== b.unit ? BYTES : ROUNDED;
    return isNear(a.base, b.base, most);
  }
  const [share, bare] = a.dimension === 'share' ? [a, b] : [b, a];
  if (share.dimension === 'share' && bare.dimension === null)
    return isNear(share.base, bare.value, ROUNDED) && bare.value <= 1;
  return false;
}

const isNear = (a: number, b: number, most: number): boolean =>
  a === b || Math.abs(a - b) <= most * Math.max(Math.abs(a), Math.abs(b));

/** Returns whether two measures have the same number with units that cannot both be right: `650 us` for `650 ms`. */
export const isOtherUnit = (a: Measure, b: Measure): boolean =>
  a.value === b.value &&
  a.dimension !== null &&
  b.dimension !== null &&
  a.unit !== b.unit &&
  !isAlikeMeasure(a.unit, b.unit) &&
  !isSameMeasure(a, b);

/** Returns the shares that `n of m` states. */
export function sharesIn(text: string): Measure[] {
  return [
    ...text
      .slice(0, MOST_READ)
      .matchAll(
        /(?<![\p{L}\d.,:/-])(\d{1,9}) (?:of|von|de|sur|su|z|из|van|out of) (?:the )?(\d{1,9})(?![\d.,:])/giu,
      ),
  ].flatMap(({ 0: said, 1: part, 2: whole, index: from }) => {
    const value = Number(part) / Number(whole);
    return Number(whole) === 0 || value > 1
      ? []
      : [{ dimension: 'share', unit: '', value, base: value, from, to: from + said.length, said }];
  });
}

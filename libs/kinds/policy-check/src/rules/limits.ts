import { writtenNumber } from './written-period.js';

/** A figure with its unit in a sentence, and the direction in which it limits. */
export interface Limit {
  figure: number;
  /** Normal form: `days`, `eur`, `km`; '': none. */
  unit: string;
  /** Direction of the limit; null: the words do not state it. */
  bound: 'most' | 'least' | null;
  /** As written, with the words that lead to it. */
  words: string;
}

const SMALL = new Map(
  [
    ['one', 'eine', 'einen', 'einem', 'einer'],
    ['two', 'zwei'],
    ['three', 'drei'],
    ['four', 'vier'],
    ['five', 'fünf'],
    ['six', 'sechs'],
    ['seven', 'sieben'],
    ['eight', 'acht'],
    ['nine', 'neun'],
    ['ten', 'zehn'],
    ['eleven', 'elf'],
    ['twelve', 'zwölf'],
  ].flatMap((words, at) => words.map((word): [string, number] => [word, at + 1])),
);
const NUMBER_WORD = [
  ...[...SMALL.keys()].filter((word) => word !== 'one' && !word.startsWith('ein')),
  'fourteen|fifteen|eighteen|twenty|thirty|forty|sixty|ninety|twice|thrice',
].join('|');
/** A figure, the sign before it, and the word after it. */
const FIGURE = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,:/-])(?<sign>[£$€₹]\s?)?(?:(?<digits>\d{1,9}(?:[.,]\d{1,6}){0,3})|(?<word>${NUMBER_WORD}))(?![\p{N}:])(?:\s?(?<unit>[%°][CF]?|[\p{L}][\p{L}²³/]{0,15}))?`,
  'giu',
);
const LONGEST = 500;
const LEADING = 40;

const MOST_BEFORE =
  /(?:\bup to(?: and including)?|\b(?:no|not|never)\s(?:more|higher|older|later|longer|larger|greater)\sthan|\bat most|\b(?:not|never)\sexceed|\bwithin|\bhöchstens|\bmaximal|\bbis zu|\bnicht mehr als|\binnerhalb von|\bbinnen|\bspätestens)\s{0,2}$/iu;
const LEAST_BEFORE =
  /(?:\bat least|\b(?:no|not)\s(?:less|fewer)\sthan|\bneeds?|\brequires?|\bmindestens|\bwenigstens)\s{0,2}$/iu;
const MORE_BEFORE = /\b(?:more|longer|older|mehr)\s(?:than|als)\s{0,2}$/iu;
const TURNED_BEFORE = /\b(?:no|not|never|nobody|none|nor|kein|keine|nicht)\b/iu;
const BELOW_BEHIND =
  /^[^.;,]{0,12}?\b(?:or|oder)\s(?:below|less|under|shorter|younger|earlier|fewer|weniger)\b/iu;
const ABOVE_BEHIND = /^[^.;,]{0,12}?\b(?:or|oder)\s(?:above|more|over|longer|later|older|mehr)\b/iu;
const TWICE = new Map([
  ['twice', 2],
  ['thrice', 3],
]);

/** Returns every figure of a sentence with its unit and direction; none for a sentence over 500 characters. */
export function limitsIn(sentence: string, language: string): Limit[] {
  if (sentence.length > LONGEST) return [];
  return [...sentence.matchAll(FIGURE)].flatMap((found): Limit[] => {
    const { sign, digits, word = '', unit = '' } = found.groups ?? {};
    const figure = digits === undefined ? wordFigure(word) : figureIn(digits, language);
    if (figure === null) return [];
    const before = sentence.slice(Math.max(0, found.index - LEADING), found.index);
    const behind = sentence.slice(found.index + found[0].length);
    const isUnit = sign === undefined && digits === undefined && unit === '';
    return [
      {
        figure,
        unit: isUnit ? '' : unitFrom(sign ?? unit),
        bound: boundBetween(before, behind),
        words: `${before.split(/[.;,]/).at(-1)!.trim()} ${found[0]}`.trim(),
      },
    ];
  });
}

const wordFigure = (word: string): number | null =>
  SMALL.get(word.toLowerCase()) ?? TWICE.get(word.toLowerCase()) ?? writtenNumber(word);

function boundBetween(before: string, behind: string): Limit['bound'] {
  const most = MOST_BEFORE.exec(before);
  // `must not be opened within 30 days` states a time to wait, so the limit is reversed.
  if (most !== null) return TURNED_BEFORE.test(before.slice(0, most.index)) ? null : 'most';
  const least = LEAST_BEFORE.exec(before);
  if (least !== null) return TURNED_BEFORE.test(before.slice(0, least.index)) ? null : 'least';
  if (MORE_BEFORE.test(before)) return TURNED_BEFORE.test(before) ? 'most' : null;
  if (BELOW_BEHIND.test(behind)) return 'most';
  return ABOVE_BEHIND.test(behind) ? 'least' : null;
}

const ENGLISH_THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const OTHER_THOUSANDS = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;

/**
 * Returns the number that these characters write; null: it has two readings. A point before three digits
 * separates thousands except in English.
 */
export function figureIn(written: string | number | boolean, language: string): number | null {
  if (typeof written !== 'string') return typeof written === 'number' ? written : null;
  const text = written.trim();
  if (text.length > 20) return null;
  if (ENGLISH_THOUSANDS.test(text)) return Number(text.replaceAll(',', ''));
  if (!language.startsWith('en') && OTHER_THOUSANDS.test(text))
    return Number(text.replaceAll('.', '').replace(',', '.'));
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}

const UNITS = new Map(
  Object.entries({
    minutes: 'minute minutes min minuten',
    hours: 'h hour hours stunde stunden',
    days: 'day days tag tage tagen',
    weeks: 'week weeks woche wochen',
    months: 'month months monat monate monaten',
    years: 'year years jahr jahre jahren',
    eur: '€ eur euro euros',
    gbp: '£ gbp',
    usd: '$ usd',
    inr: '₹ inr',
  }).flatMap(([unit, words]) => words.split(' ').map((word): [string, string] => [word, unit])),
);

/** Normal form of a unit: `Tage` and `day` are `days`. */
export function unitFrom(written: string): string {
  const unit = written.trim().toLowerCase();
  return UNITS.get(unit) ?? unit;
}

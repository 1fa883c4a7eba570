import { boundBefore, boundBehind, type Bound } from './bounds.js';
import { negationWords } from './negation.js';
import { parseNumber } from './digits.js';
import { SCALE_WORD, scaleFactor, writtenNumber, WRITTEN_NUMBER } from './number-words.js';
import { CURRENCY, unitFrom } from './units.js';
import type { Span } from './words.js';

export type Relation = 'most' | 'least' | 'over' | 'under';

/** A figure with its unit in a sentence, and the direction in which it limits. */
export interface Limit extends Span {
  figure: number;
  /** Normal form: `days`, `eur`, `km`; '': none. */
  unit: string;
  /** Direction of the limit; null: the words do not state it. */
  bound: 'most' | 'least' | null;
  /** Relation that the words next to the figure state, where `over` and `under` exclude the figure; null: none. */
  relation: Relation | null;
  /** A bare `$` states no country, so the unit `usd` is inferred. */
  inferred: readonly 'unit'[];
}

/** A figure, the sign before it, and the word after it, which `or` and `and` are not. */
const FIGURE = new RegExp(
  String.raw`(?<![\p{L}\p{N}.,:/-])(?<sign>(?:${CURRENCY})\s?)?(?:(?<digits>\d{1,9}(?:[.,]\d{1,6}){0,3})|(?<word>${WRITTEN_NUMBER})(?!\p{L}))(?![\p{N}:])(?:[ -](?<scale>${SCALE_WORD})\b)?(?:\s?(?<unit>[%°][CF]?|(?!(?:or|oder|and|und)(?!\p{L}))\p{L}[\p{L}²³/]{0,15}))?`,
  'giu',
);
const LONGEST = 500;
const LEADING = 40;

/** Words before a figure that make it a limit: `within 30 days`, `needs 5 m`. */
const WITHIN = /\b(?:within|innerhalb von|binnen|spätestens)\s{0,2}$/iu;
const NEEDS = /\b(?:needs?|requires?)\s{0,2}$/iu;
/** A sentence about a thing `without` another one is not negated. */
const NEGATED = new RegExp(
  `\\b(?!without\\b|ohne\\b)(?:${negationWords('en')}|${negationWords('de')})\\b`,
  'iu',
);

/** Returns every figure of a sentence with its unit and direction; none for a sentence over 500 characters. */
export function limitsIn(sentence: string, language: string): Limit[] {
  if (sentence.length > LONGEST) return [];
  const figures = [...sentence.matchAll(FIGURE)];
  return figures.flatMap((figure, i): Limit[] => {
    const { sign, digits, word = '', scale, unit = '' } = figure.groups ?? {};
    const number = digits === undefined ? writtenNumber(word) : parseNumber(digits, language);
    if (number === null) return [];
    const before = sentence.slice(Math.max(0, figure.index - LEADING), figure.index);
    const behind = sentence.slice(figure.index + figure[0].length, figures[i + 1]?.index);
    // The word after an amount with a sign is no unit.
    const said =
      sign === undefined ? figure[0] : figure[0].slice(0, figure[0].length - unit.length).trimEnd();
    const isUnit = sign === undefined && digits === undefined && unit === '';
    return [
      {
        figure: number * scaleFactor(scale),
        unit: isUnit ? '' : unitFrom(sign ?? unit),
        bound: boundBetween(before, behind),
        relation: relationBetween(before, behind),
        inferred: sign?.trim() === '$' ? ['unit'] : [],
        from: figure.index,
        to: figure.index + said.length,
        said,
      },
    ];
  });
}

function boundBetween(before: string, behind: string): Limit['bound'] {
  const { bound, from } = limitBefore(before);
  // `must not be opened within 30 days` states a time to wait, so the limit is reversed.
  const isNegated = NEGATED.test(before.slice(0, from));
  if (bound === 'most' || bound === 'least') return isNegated ? null : bound;
  // `never longer than 5 m` is a limit, but `trips of more than 60 days` are only a case.
  if (bound === 'over') return isNegated ? 'most' : null;
  const after = boundBehind(behind);
  return after === 'most' || after === 'least' ? after : null;
}

const RELATIONS: ReadonlySet<string> = new Set(['most', 'least', 'over', 'under']);

function relationBetween(before: string, behind: string): Relation | null {
  const stated = limitBefore(before).bound ?? boundBehind(behind);
  return stated !== null && RELATIONS.has(stated) ? (stated as Relation) : null;
}

function limitBefore(before: string): { bound: Bound | null; from: number } {
  for (const [form, bound] of [
    [WITHIN, 'most'],
    [NEEDS, 'least'],
  ] as const) {
    const match = form.exec(before);
    if (match !== null) return { bound, from: match.index };
  }
  return boundBefore(before) ?? { bound: null, from: 0 };
}

/** Returns the number of a value, or of a text that writes one; null: none, or it has two readings. */
export function figureIn(written: string | number | boolean, language: string): number | null {
  if (typeof written !== 'string') return typeof written === 'number' ? written : null;
  return parseNumber(written, language);
}

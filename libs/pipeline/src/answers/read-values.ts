import { isNegation, parseNumber, saysNothing } from '../reading/index.js';
import { round } from '../reading/numerals.js';

const LONGEST_CHOICE = 200;

/** Returns the choice that a text names, or null if it names none, several or a negated one. */
export function choiceIn(text: string, choices: readonly string[]): string | null {
  if (text.length > LONGEST_CHOICE) return null;
  const trimmed = text.trim();
  const exact = choices.find((choice) => choice === trimmed);
  if (exact !== undefined) return exact;
  const words = textWords(trimmed);
  const named = choices.map((choice) => ({ choice, words: textWords(choice) }));
  const same = named.filter((one) => one.words.join(' ') === words.join(' '));
  if (same.length > 0) return same.length === 1 ? same[0]!.choice : null;
  // The longest first: "not met" is NOT_MET, not MET.
  let rest = ` ${words.join(' ')} `;
  const option = named
    .toSorted((a, b) => b.words.length - a.words.length)
    .filter((one) => {
      const phrase = ` ${one.words.join(' ')} `;
      if (one.words.length === 0 || !rest.includes(phrase)) return false;
      rest = rest.replaceAll(phrase, ' | ');
      return true;
    });
  const isNegated = rest.split(' ').some((word) => word === 't' || isNegation(word, 'en'));
  return option.length === 1 && !isNegated ? option[0]!.choice : null;
}

function textWords(text: string): string[] {
  const apart = text.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ');
  return apart.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Returns the truth value that a text names, or null. */
export function truthIn(text: string): boolean | null {
  const word = text.trim().toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : null;
}

const MOST_LIST_CHARACTERS = 20_000;
/** Marks before an entry of a list written in lines. */
const BULLET = /^\s*(?:[-*•–]|\(?\d{1,3}[.):])\s+/;

/**
 * Splits a list written as a text: lines, entries separated by semicolons, single words separated by commas
 * or "and", or one sentence. Returns null if the ends of the entries are unknown.
 */
export function entriesIn(text: string): string[] | null {
  if (text.length > MOST_LIST_CHARACTERS) return null;
  if (saysNothing(text)) return [];
  const inner = /^\s*\[([^[\]{}]*)\]\s*$/.exec(text)?.[1] ?? text;
  const lines = inner.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (lines.length > 1) return lines.map((line) => unquotedText(line.replace(BULLET, '')));
  const one = inner.replace(BULLET, '').replace(/\s+/g, ' ').trim();
  const words = textParts(one.replace(/ (?:and|&) /gi, ','), /[,;]/);
  if (words.every((word) => /^\S{1,80}$/.test(word))) return words.map(unquotedText);
  const bare = one.split(' ');
  if (bare.every((word) => /^\[?[A-Z]{1,3}\d{1,4}\]?$/i.test(word))) return bare;
  const parts = textParts(one, ';');
  if (parts.length > 1) return parts.map(unquotedText);
  return one.includes(',') ? null : [unquotedText(one)];
}

function textParts(text: string, separator: string | RegExp): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function unquotedText(text: string): string {
  const trimmed = text.trim().replace(/,$/, '');
  return /^(["'`]).*\1$/.test(trimmed) ? trimmed.slice(1, -1).trim() : trimmed;
}

/** A number on a scale from 0, or the reason why it has no single reading. */
export type ScaledFigure = { value: number } | { problem: string };

/** The end of a scale: a share of 1, or a percentage. */
export type Scale = 1 | 100;

/** Above a share of 1 and up to this, a figure may be a percentage or a mark out of ten. */
const MOST_MARKS = 10;
const LONGEST_FIGURE = 60;
const FIGURE = /-?\d+(?:[.,]\d+)?/g;
const PERCENT = /^\s*(?:%|％|per ?cent\b|pct\b)/i;
const OUT_OF = /^\s*(?:\/|out of|of)\s*$/i;

/**
 * Reads a number, or a text with one number, on the requested scale. A figure on the other scale is converted
 * if it has no second reading: 90 of 1 is a percentage, 0.9 of 100 is a share. A figure with two readings (1
 * of 100, 5 of 1, a range) or none (900, -5) is a problem, and the model must be asked again.
 */
export function readFigure(written: number | string, scale: Scale): ScaledFigure {
  if (typeof written === 'number') return onScale(written, scale, written);
  const matches = [...written.slice(0, LONGEST_FIGURE).matchAll(FIGURE)];
  const [first, second] = matches;
  if (first === undefined || written.length > LONGEST_FIGURE) return unclear(written, scale);
  const value = plainNumber(first[0]);
  const rest = written.slice(first.index + first[0].length);
  if (value === null) return unclear(written, scale);
  if (matches.length === 2 && second !== undefined) {
    const between = written.slice(first.index + first[0].length, second.index);
    const whole = plainNumber(second[0]);
    const isRatio = OUT_OF.test(between) && whole !== null && whole > 0 && value >= 0 && value <= whole;
    return isRatio ? { value: round((value / whole) * scale) } : unclear(written, scale);
  }
  if (matches.length > 2) return unclear(written, scale);
  if (!PERCENT.test(rest)) return onScale(value, scale, written);
  // "0.9%" may mean 90 % or nine in a thousand, so it has no single reading.
  if ((value > 0 && value < 1) || value < 0 || value > 100) return unclear(written, scale);
  return { value: round((value / 100) * scale) };
}

function onScale(value: number, scale: Scale, written: number | string): ScaledFigure {
  // 900 and -5 are on no scale: the nearest bound would make them certain.
  if (!(value >= 0 && value <= 100)) return unclear(written, scale);
  if (scale === 100) {
    if (value === 1) return unclear(written, scale);
    return { value: value > 0 && value < 1 ? round(value * 100) : value };
  }
  if (value <= 1) return { value };
  return value > MOST_MARKS && value <= 100 ? { value: round(value / 100) } : unclear(written, scale);
}

function unclear(written: number | string, scale: Scale): ScaledFigure {
  const shown = JSON.stringify(typeof written === 'string' ? written.slice(0, LONGEST_FIGURE) : written);
  return { problem: `expected a number from 0 to ${scale}; ${shown} has no single reading on that scale` };
}

/** A number in everyday notation; null: its comma may separate thousands. */
function plainNumber(text: string): number | null {
  if (/,\d{3}$/.test(text)) return null;
  return parseNumber(text);
}

/** Returns the number if the text is exactly one number, or null. */
export function numberIn(text: string): number | null {
  const [, digits] = /^[~≈]?(-?\d{1,15}(?:[.,]\d{1,15})?)$/.exec(text.trim()) ?? [];
  return digits === undefined ? null : plainNumber(digits);
}

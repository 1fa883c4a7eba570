import numbers from './words/numbers.json' with { type: 'json' };

/** A number at a position of a text: in digits, in Chinese numerals, or in both (3億5,000萬). */
interface Numeral {
  value: number;
  end: number;
  /** true: written with digits; false: Chinese numerals alone. */
  hasFigures: boolean;
  /**
   * Whether it has no thousands separator, decimal point or scale, so that it may be a year or a list number.
   */
  isPlain: boolean;
}

const { han } = numbers;
const signs = (...tables: Readonly<Record<string, number>>[]): Map<string, number> =>
  new Map(
    tables.flatMap((table) =>
      Object.entries(table).flatMap(([all, value]) => [...all].map((sign) => [sign, value] as const)),
    ),
  );
const digitValues = (list: string) => Object.fromEntries(list.split(' ').map((all, value) => [all, value]));
const DIGIT = signs(digitValues(han.digits), digitValues(han.formal));
const SMALL = signs(han.small, han.formalSmall);
const LARGE = signs(han.large);

/** Signs of Chinese numerals in everyday writing, for patterns. */
export const HAN_NUMERALS = [
  han.digits.replaceAll(' ', ''),
  ...Object.keys({ ...han.small, ...han.large }),
].join('');

/** Digits before a thousands separator. */
const FIRST_GROUP = /^[1-9]\d{0,2}$/;
const isFigure = (char: string | undefined): boolean => char !== undefined && char >= '0' && char <= '9';
const isDigit = (char: string | undefined): boolean => DIGIT.has(char ?? '');

/**
 * Reads the number at a position, or returns null if there is none. Chinese digits without a scale are read
 * one by one (二〇二五). Reads each character once.
 */
export function numeralAt(text: string, at: number): Numeral | null {
  let total = 0;
  let section = 0;
  let current: number | null = null;
  let hanDigits = 0;
  let hasFigures = false;
  let isPlain = true;
  let i = at;
  while (i < text.length) {
    const char = text[i] as string;
    const [digit, small, large] = [DIGIT.get(char), SMALL.get(char), LARGE.get(char)];
    if (isFigure(char)) {
      if (current !== null) break;
      const figures = figuresAt(text, i);
      current = figures.value;
      isPlain &&= figures.isPlain;
      hasFigures = true;
      i = figures.end;
      continue;
    }
    if (digit !== undefined) {
      if (current !== null && hasFigures) break;
      current = hanDigits > 0 && current !== null ? current * 10 + digit : digit;
      hanDigits += 1;
    } else if (small !== undefined) {
      if (current === null && i > at && section === 0 && total === 0) break;
      section += (current ?? 1) * small;
    } else if (large !== undefined) {
      if (i === at) return null;
      total += (section + (current ?? 0)) * large;
      section = 0;
    } else if (char === '點' && current !== null && !hasFigures && isDigit(text[i + 1])) {
      let decimals = '0.';
      while (isDigit(text[i + 1])) decimals += DIGIT.get(text[++i]!)!;
      current += Number(decimals);
      isPlain = false;
    } else break;
    if (small !== undefined || large !== undefined) {
      current = null;
      hanDigits = 0;
      isPlain = false;
    }
    i += 1;
  }
  if (i === at) return null;
  return { value: round(total + section + (current ?? 0)), end: i, hasFigures, isPlain };
}

function figuresAt(text: string, at: number): { value: number; end: number; isPlain: boolean } {
  let end = at;
  let written = '';
  while (isFigure(text[end])) written += text[end++];
  let isPlain = true;
  // Groups of three digits, each after its own separator.
  const isGrouped = FIRST_GROUP.test(written);
  while (
    isGrouped &&
    written.length <= 24 &&
    text[end] === ',' &&
    [1, 2, 3].every((n) => isFigure(text[end + n])) &&
    !isFigure(text[end + 4])
  ) {
    written += text.slice(end + 1, end + 4);
    end += 4;
    isPlain = false;
  }
  if (text[end] === '.' && isFigure(text[end + 1])) {
    written += '.';
    end += 1;
    while (isFigure(text[end])) written += text[end++];
    isPlain = false;
  }
  return { value: Number(written), end, isPlain };
}

/** Returns a number without the error of binary fractions, so that 3.1 equals 310/100. */
export function round(value: number): number {
  return Number(value.toPrecision(12));
}

/** Returns the numeral if it is the whole text, else null. */
export function wholeNumeral(text: string): number | null {
  const read = numeralAt(text, 0);
  return read !== null && read.end === text.length ? read.value : null;
}

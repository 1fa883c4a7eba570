const DIGIT: Record<string, number> = {
  〇: 0,
  零: 0,
  一: 1,
  二: 2,
  兩: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  壹: 1,
  貳: 2,
  參: 3,
  肆: 4,
  伍: 5,
  陸: 6,
  柒: 7,
  捌: 8,
  玖: 9,
};
const SMALL: Record<string, number> = { 十: 10, 拾: 10, 百: 100, 佰: 100, 千: 1_000, 仟: 1_000 };
const LARGE: Record<string, number> = { 萬: 1e4, 万: 1e4, 億: 1e8, 亿: 1e8, 兆: 1e12 };

/** A number at a position of a text: in digits, in Chinese numerals, or in both (3億5,000萬). */
export interface Numeral {
  value: number;
  end: number;
  /** true: written with digits; false: Chinese numerals alone. */
  hasFigures: boolean;
  /**
   * Whether it has a thousands separator, a decimal point or a scale, so that it is neither a year nor a list
   * number.
   */
  isPlain: boolean;
}

const isFigure = (char: string | undefined): boolean => char !== undefined && char >= '0' && char <= '9';

/**
 * Reads the number at a position, or returns null if there is none. Chinese digits without a scale are read
 * one by one (二〇二五). Reads each character once.
 */
export function numeralAt(text: string, at: number): Numeral | null {
  let total = 0;
  let section = 0;
  let current: number | null = null;
  let digits = 0;
  let hasFigures = false;
  let isPlain = true;
  let i = at;
  while (i < text.length) {
    const char = text[i] as string;
    if (isFigure(char)) {
      if (current !== null) break;
      const figures = figuresAt(text, i);
      current = figures.value;
      isPlain &&= figures.isPlain;
      hasFigures = true;
      i = figures.end;
    } else if (char in DIGIT) {
      if (current !== null && hasFigures) break;
      current = digits > 0 && current !== null ? current * 10 + DIGIT[char]! : DIGIT[char]!;
      digits += 1;
      i += 1;
    } else if (char in SMALL) {
      if (current === null && i > at && section === 0 && total === 0) break;
      section += (current ?? 1) * SMALL[char]!;
      current = null;
      digits = 0;
      isPlain = false;
      i += 1;
    } else if (char in LARGE) {
      if (i === at) return null;
      total += (section + (current ?? 0)) * LARGE[char]!;
      section = 0;
      current = null;
      digits = 0;
      isPlain = false;
      i += 1;
    } else if (char === '點' && current !== null && !hasFigures && (text[i + 1] ?? '') in DIGIT) {
      const decimals = decimalsAt(text, i + 1);
      current += decimals.value;
      isPlain = false;
      i = decimals.end;
    } else break;
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
  while (
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

function decimalsAt(text: string, at: number): { value: number; end: number } {
  let end = at;
  let written = '0.';
  while ((text[end] ?? '') in DIGIT) written += DIGIT[text[end++] as string];
  return { value: Number(written), end };
}

/** Removes the error of binary fractions, so that 3.1 equals 310/100. */
export function round(value: number): number {
  return Number(value.toPrecision(12));
}

/** Returns the numeral if it is the whole text, else null. */
export function wholeNumeral(text: string): number | null {
  const read = numeralAt(text, 0);
  return read !== null && read.end === text.length ? read.value : null;
}

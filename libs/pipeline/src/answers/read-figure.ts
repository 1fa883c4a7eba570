/** A number that a model wrote on a scale from 0, or why it has no single reading. */
export type ScaledFigure = { value: number } | { problem: string };

/** The end of a scale: a share of 1, or a percentage. */
export type Scale = 1 | 100;

/** Above a share of 1 and up to this, a figure may be a percentage or a mark out of ten. */
const MOST_MARKS = 10;
const MOST_CHARACTERS = 60;
const FIGURE = /-?\d+(?:[.,]\d+)?/g;
const PERCENT = /^\s*(?:%|％|per ?cent\b|pct\b)/i;
const OUT_OF = /^\s*(?:\/|out of|of)\s*$/i;

/**
 * Reads a number, or a text with one number in it, on the scale that was asked for. A figure of the other scale is
 * converted if it has no second reading: 90 of 1 is a percentage, 0.9 of 100 is a share. What has two readings (1 of
 * 100, 5 of 1, a range) is a problem, and has to be asked again.
 */
export function readFigure(given: number | string, scale: Scale): ScaledFigure {
  if (typeof given === 'number') return onScale(given, scale, given);
  const found = [...given.slice(0, MOST_CHARACTERS).matchAll(FIGURE)];
  const [first, second] = found;
  if (first === undefined || given.length > MOST_CHARACTERS) return unclear(given, scale);
  const value = plainNumber(first[0]);
  const rest = given.slice(first.index + first[0].length);
  if (value === null) return unclear(given, scale);
  if (found.length === 2 && second !== undefined) {
    const between = given.slice(first.index + first[0].length, second.index);
    const whole = plainNumber(second[0]);
    const isRatio = OUT_OF.test(between) && whole !== null && whole > 0 && value >= 0 && value <= whole;
    return isRatio ? { value: rounded((value / whole) * scale) } : unclear(given, scale);
  }
  if (found.length > 2) return unclear(given, scale);
  if (!PERCENT.test(rest)) return onScale(value, scale, given);
  // "0.9%" is as likely 90 % as nine in a thousand.
  if ((value > 0 && value < 1) || value < 0 || value > 100) return unclear(given, scale);
  return { value: rounded((value / 100) * scale) };
}

function onScale(value: number, scale: Scale, given: number | string): ScaledFigure {
  if (!Number.isFinite(value)) return unclear(given, scale);
  if (scale === 100) {
    if (value === 1) return unclear(given, scale);
    return { value: value > 0 && value < 1 ? rounded(value * 100) : value };
  }
  if (value <= 1) return { value };
  return value > MOST_MARKS && value <= 100 ? { value: rounded(value / 100) } : unclear(given, scale);
}

/** Half a digit beyond what any model writes: 0.29 times 100 is to be 29. */
const rounded = (value: number): number => Number(value.toPrecision(12));

function unclear(given: number | string, scale: Scale): ScaledFigure {
  const shown = JSON.stringify(typeof given === 'string' ? given.slice(0, MOST_CHARACTERS) : given);
  return { problem: `expected a number from 0 to ${scale}; ${shown} has no single reading on that scale` };
}

/** A number as people write it; null: its comma may be one of thousands. */
function plainNumber(text: string): number | null {
  if (/,\d{3}$/.test(text)) return null;
  return Number(text.replace(',', '.'));
}

/** A text that is one number and no more, or null. */
export function numberIn(text: string): number | null {
  const [, digits] = /^[~≈]?(-?\d{1,15}(?:[.,]\d{1,15})?)$/.exec(text.trim()) ?? [];
  return digits === undefined ? null : plainNumber(digits);
}

/** A limit that a text states. */
export interface Limit {
  kind: 'within' | 'at-least' | 'at-most';
  amount: number;
  /** The unit in the form of `textUnit`; null: a number of things. */
  unit: string | null;
  /**
   * The text after the limit, to the end of its sentence: the topic of the limit, or the event it runs from.
   */
  rest: string;
}

const NUMBER = String.raw`([£$€])?\s?((?<![\d,])\d[\d,]*(?:\.\d+)?|one|two|three|four|five|six|seven|eight|nine|ten|twelve)\s?(%|[\p{L}°]{1,40}(?:\/\p{L}{1,40})?)?`;
const PATTERNS: [Limit['kind'], string][] = [
  ['within', String.raw`\b(?:within|in the)\s+${NUMBER}`],
  ['at-least', String.raw`\b(?:at least|not less than|no fewer than|a minimum of)\s+${NUMBER}`],
  ['at-least', String.raw`${NUMBER}\s+or (?:more|higher|longer)`],
  [
    'at-most',
    String.raw`\b(?:up to(?: and including)?|at most|no(?:t)? more than|not exceed(?:ing)?|a maximum of|below|under|less than|no later than)\s+${NUMBER}`,
  ],
];
const WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const UNITS: Record<string, string> = { '£': 'gbp', $: 'usd', '€': 'eur', '%': 'percent' };
const REST = 120;

/** Returns the limits that a text states, in order. */
export function limitsIn(text: string): Limit[] {
  const limits = PATTERNS.flatMap(([kind, pattern]) =>
    [...text.matchAll(new RegExp(pattern, 'giu'))].map((match) => {
      const [whole, sign, digits = '', word] = match;
      const after = match.index + whole.length;
      const unit = sign ?? (word !== undefined && isUnit(word) ? word : undefined);
      const [rest = ''] = text.slice(after, after + REST).split(/[.;]/, 1);
      return { kind, at: match.index, amount: writtenAmount(digits), unit: normalizeUnit(unit), rest };
    }),
  );
  return limits.toSorted((a, b) => a.at - b.at).map(({ at: _, ...limit }) => limit);
}

function writtenAmount(written: string): number {
  const word = WORDS.indexOf(written.toLowerCase());
  return word >= 0 ? word : Number(written.replaceAll(',', ''));
}

const TIMES: Record<string, number> = {
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  month: 2_629_800_000,
  year: 31_557_600_000,
};

/**
 * Returns the length of a unit of time in milliseconds, with a mean month and year; undefined: another unit.
 */
export function timeUnit(unit: string | null): number | undefined {
  return unit === null ? undefined : TIMES[unit];
}

const SMALL_WORDS = /^(?:or|of|in|to|by|on|at|if|a|an|the|and|is|for|as|per|are|may|not)$/i;

function isUnit(word: string): boolean {
  if (Object.hasOwn(TIMES, singular(word)) || /[/%°]/.test(word)) return true;
  return word.length <= 3 && !SMALL_WORDS.test(word);
}

/** Returns a unit in one spelling: `days` is `day`, `£` is `gbp`. */
export function normalizeUnit(written: string | null | undefined): string | null {
  if (written === null || written === undefined) return null;
  return UNITS[written] ?? singular(written);
}

function singular(word: string): string {
  const lower = word.toLowerCase();
  return lower.length > 3 ? lower.replace(/s$/, '') : lower;
}

/**
 * Returns a date or a time of day as milliseconds since the epoch; null: another value. Default time zone:
 * UTC.
 */
export function parseDate(value: string | number | boolean): number | null {
  if (typeof value !== 'string') return null;
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?/.exec(value) ?? [];
  if (day === undefined || value.length > 30) return null;
  const at = Date.parse(`${day}T${time ?? '00:00'}:00Z`);
  return Number.isNaN(at) ? null : at;
}

import type { Claim, ClaimSource } from './examined-matter.js';

/** A number, and its value. Separators of thousands are commas, spaces or none. */
const NUMBER = /(?<![\p{L}\p{N}.,:_/-])\d{1,3}(?:[,  ]\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?/gu;
const CLOCK = /(?<!\d)([01]?\d|2[0-3]):([0-5]\d)(?!\d)/g;
const DAY = /(?<!\d)(\d{4})-(\d{2})-(\d{2})(?!\d)/g;
/** Numbers of which pairs are computed. With more numbers on the record, fewer values are free anyway. */
const PAIRED = 60;
const DAY_MS = 86_400_000;

/** Names of which none has a meaning, so that a name with one of them is of nothing that exists. */
const STEMS =
  'ardenfel bolrath carvane delmoor elvastra fenwold gorlane hestava ilmarun jorvesk keldrin lorvane mirastal norvik ostrale pelgara quorin rivasta solvane torhavel ulverin vastrel wendora yarrovel zelmark'.split(
    ' ',
  );

/** Values that occur in an examination, so that a planted claim does not state one of them. */
export class PlantedRecord {
  private readonly text: string;
  private readonly sourceText: string;
  private readonly lines: readonly string[];
  /** Numbers that the examination states, and the days between its dates. */
  private readonly stated: readonly number[];
  /** These, and what is computed from two of them. */
  private readonly values: readonly number[];
  private readonly minutes: ReadonlySet<number>;

  constructor(about: string, claims: readonly Claim[], sources: readonly ClaimSource[]) {
    const titled = sources.map(({ title, text }) => `${title}\n${text}`);
    this.sourceText = titled.join('\n').toLowerCase();
    this.text = [about, ...claims.map(({ text }) => text), ...titled].join('\n').toLowerCase();
    this.lines = this.text.split('\n');
    const numbers = [...this.text.matchAll(NUMBER)].map(([number]) => parsed(number));
    const own = [...new Set(numbers)].filter(Number.isFinite);
    this.stated = [...own, ...daysBetween(this.text)];
    this.values = [...this.stated, ...computedFrom(own)];
    this.minutes = new Set([...this.text.matchAll(CLOCK)].map(([, , minute]) => Number(minute) % 15));
  }

  /** Returns whether a source contains this text. */
  isInSource(text: string): boolean {
    return this.sourceText.includes(text.toLowerCase());
  }

  /** Returns whether the examination contains this text anywhere. */
  has(text: string): boolean {
    return this.text.includes(text.toLowerCase());
  }

  /** Returns the number of lines with this text. */
  linesWith(text: string): number {
    const own = text.toLowerCase();
    return this.lines.filter((line) => line.includes(own)).length;
  }

  /** Returns whether a number occurs, or is computed from two that do, to one per cent. */
  hasValue(value: number): boolean {
    return this.values.some((one) => isNear(one, value));
  }

  /** Returns whether a number occurs, or is the number of days between two dates, to one per cent. */
  states(value: number): boolean {
    return this.stated.some((one) => isNear(one, value));
  }

  /** Returns whether the minutes of a time occur, also in another time zone. */
  hasMinute(minute: number): boolean {
    return this.minutes.has(minute % 15);
  }

  /** Returns a name in the form of another that does not occur. */
  newName(like: string, random: () => number): string {
    const from = Math.floor(random() * STEMS.length);
    const stem = [...STEMS.slice(from), ...STEMS].find((one) => !this.has(one)) ?? `${STEMS[0]!}${from}`;
    const [head = ''] = /^[\p{L}\p{N}]+/u.exec(like) ?? [];
    return `${formedAs(head, stem)}${like.slice(head.length)}`;
  }
}

function formedAs(form: string, word: string): string {
  if (form.length > 1 && form === form.toUpperCase() && form !== form.toLowerCase())
    return word.toUpperCase();
  return /^\p{Lu}/u.test(form) ? `${word[0]!.toUpperCase()}${word.slice(1)}` : word;
}

const parsed = (number: string): number =>
  Number(number.replace(/[,  ](?=\d{3}(?!\d))/g, '').replace(',', '.'));

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= Math.abs(other) / 100;

function daysBetween(text: string): number[] {
  const days = [...text.matchAll(DAY)].map(([day]) => Date.parse(day) / DAY_MS).filter(Number.isFinite);
  const first = days.slice(0, PAIRED);
  return first.flatMap((a) => first.flatMap((b) => (b > a ? [b - a] : [])));
}

/** Returns what a reader computes from two numbers: sums, differences, products, ratios and shares in per cent. */
function computedFrom(numbers: readonly number[]): number[] {
  const first = numbers.slice(0, PAIRED);
  return first.flatMap((a) =>
    first.flatMap((b) => [a + b, a - b, a * b, ...(b === 0 ? [] : [a / b, (100 * a) / b])]),
  );
}

const SMALL =
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const NUMBERS = new Map([
  ...SMALL.map((word, i): [string, number] => [word, i + 1]),
  ...TENS.map((word, i): [string, number] => [word, (i + 2) * 10]),
]);

const WORD = [...NUMBERS.keys(), 'hundred'].toSorted((a, b) => b.length - a.length).join('|');
const WORDS = String.raw`(?:an?\s+)?(?:${WORD})(?:(?:\s+and\s+|\s+|-)(?:${WORD})){0,5}|an?`;
const FIGURE = String.raw`\d{1,4}`;
const WITHIN = String.raw`within(?:\s+a\s+(?:(?:maximum\s+)?period|maximum)\s+of)?(?:\s+(?:no more than|not more than|at most))?`;
const LATER = String.raw`(?:by\s+)?(?:no|not)\s+later\s+than`;
const MORE = String.raw`(?:no|not)\s+more\s+than|at\s+most`;
const LEAST = String.raw`at\s+least|(?:no|not)\s+(?:less|fewer)\s+than`;
const AFTER = 'of|after|from|following';
const BEFORE = String.raw`before|prior\s+to|in\s+advance\s+of|ahead\s+of`;

/**
 * Pattern of a period: `within thirty (30) calendar days`, with the word that leads to the event in `link`.
 */
export const PERIOD_PHRASE = String.raw`(?:(?<within>${WITHIN})|(?<later>${LATER})|(?<more>${MORE})|(?<least>${LEAST}))\s+(?<count>${FIGURE}|${WORDS})(?:\s+\((?<again>${FIGURE}|${WORDS})\))?\s+(?:(?:calendar|consecutive)\s+)?(?<unit>hour|day|week|month|year)(?:s|\(s\))?`;
/** Pattern of the words between a period and its event, in `link`. */
export const PERIOD_LINK = String.raw`(?<link>${AFTER}|${BEFORE})`;

const NAMED_PERIOD = new RegExp(
  String.raw`\bwithin\s+(?:an?|the)\s+(?<count>${FIGURE}|(?:${WORD})(?:-(?:${WORD}))?)(?<again>\s\((?:${FIGURE}|${WORD})\))?[\s-](?:calendar[\s-])?(?<unit>hour|day|week|month|year)[\s-]period\b`,
  'gi',
);

/** Returns a text in which `within a thirty-day period` is written as `within thirty day`, which `PERIOD_PHRASE` reads. */
export function withPlainPeriods(text: string): string {
  return text.replaceAll(NAMED_PERIOD, 'within $<count>$<again> $<unit>');
}

export type TimeUnit = 'hours' | 'days' | 'months';

/** A length of time that is allowed or required, before or after an event. */
export interface WrittenPeriod {
  count: number;
  unit: TimeUnit;
  /** `least`: at least this length; `most`: at most. */
  limit: 'most' | 'least';
  side: 'after' | 'before';
}

type Groups = Partial<Record<string, string>>;

/** Returns the period in the groups of `PERIOD_PHRASE` and `PERIOD_LINK`; null: it has no single meaning. */
export function groupPeriod({
  within,
  later,
  least,
  count,
  again,
  unit,
  link = 'after',
}: Groups): WrittenPeriod | null {
  const figure = writtenNumber(count ?? '');
  if (figure === null || (again !== undefined && writtenNumber(again) !== figure)) return null;
  const length = figureLength(figure, unit ?? '');
  if (new RegExp(`^(?:${BEFORE})$`, 'i').test(link)) {
    // `no later than a week before` requires at least a week. `within a week before` limits in the other
    // direction.
    return least === undefined && later === undefined ? null : { ...length, limit: 'least', side: 'before' };
  }
  const isPlain = within !== undefined || later !== undefined || /^(?:after|following)$/i.test(link);
  return isPlain ? { ...length, limit: least === undefined ? 'most' : 'least', side: 'after' } : null;
}

/** Returns a key that is equal for equal periods. */
export function periodKey({ count, unit, limit, side }: WrittenPeriod): string {
  return `${limit} ${count} ${unit} ${side}`;
}

const IN_QUESTION = new RegExp(String.raw`\b${PERIOD_PHRASE}\b(?:\s+${PERIOD_LINK}\b)?`, 'gi');

/**
 * Returns a question with its periods in one form (`within 30 days of`), and these periods. Their words `no
 * later than` and `after` then no longer count as words that reverse the question.
 */
export function periodsAsked(question: string): { text: string; periods: WrittenPeriod[] } {
  const periods: WrittenPeriod[] = [];
  const text = withPlainPeriods(question).replaceAll(IN_QUESTION, (...args: unknown[]) => {
    const groups = args.at(-1) as Groups;
    const written = String(args[0]);
    if (groups['link'] === undefined && groups['within'] === undefined && groups['later'] === undefined)
      return written;
    const period = groupPeriod(groups);
    if (period === null) return written;
    periods.push(period);
    const { count, unit, limit, side } = period;
    if (limit === 'least') return `at least ${count} ${unit} ${side}`;
    return `within ${count} ${unit}${groups['link'] === undefined ? '' : ' of'}`;
  });
  return { text, periods };
}

const UNITS: Readonly<Record<string, { times: number; unit: TimeUnit }>> = {
  hour: { times: 1, unit: 'hours' },
  day: { times: 1, unit: 'days' },
  week: { times: 7, unit: 'days' },
  month: { times: 1, unit: 'months' },
  year: { times: 12, unit: 'months' },
};

function figureLength(figure: number, written: string): { count: number; unit: TimeUnit } {
  const { times, unit } = UNITS[written.toLowerCase()] ?? { times: 1, unit: 'days' };
  return { count: figure * times, unit };
}

/**
 * Returns the number that words state: `30`, `thirty`, `one hundred and twenty`, `a`; null: they state none.
 */
export function writtenNumber(written: string): number | null {
  if (/^\d+$/.test(written)) return Number(written);
  const words = written.toLowerCase().split(/[\s-]+/);
  const at = words.indexOf('hundred');
  if (at === -1) return words.length === 1 && /^an?$/.test(written.toLowerCase()) ? 1 : belowHundred(words);
  const [hundreds, rest] = [words.slice(0, at), words.slice(at + 1)];
  const first =
    hundreds.length === 1 ? (hundreds[0] === 'a' ? 1 : NUMBERS.get(hundreds[0] ?? '')) : undefined;
  if (first === undefined || first > 9) return null;
  const below = rest.length === 0 ? 0 : belowHundred(rest[0] === 'and' ? rest.slice(1) : rest);
  return below === null ? null : first * 100 + below;
}

function belowHundred([word = '', next, ...more]: readonly string[]): number | null {
  const first = NUMBERS.get(word);
  if (first === undefined || more.length > 0) return null;
  if (next === undefined) return first;
  const second = NUMBERS.get(next);
  return first >= 20 && second !== undefined && second < 10 ? first + second : null;
}

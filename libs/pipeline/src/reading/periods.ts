import { comparisonWords } from './bounds.js';
import { NUMBER_WORD, writtenNumber } from './number-words.js';
import { unitFrom } from './units.js';

const WORD = `${NUMBER_WORD}|hundred`;
const WORDS = String.raw`(?:an?\s+)?(?:${WORD})(?:(?:\s+and\s+|\s+|-)(?:${WORD})){0,5}|an?`;
const FIGURE = String.raw`\d{1,4}`;
const WITHIN = String.raw`within(?:\s+a\s+(?:(?:maximum\s+)?period|maximum)\s+of)?(?:\s+(?:no more than|not more than|at most))?`;
const LATER = String.raw`(?:by\s+)?(?:no|not)\s+later\s+than`;
const MORE = comparisonWords('most').replaceAll(' ', '\\s+');
const LEAST = comparisonWords('least').replaceAll(' ', '\\s+');
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
  const length = periodLength(figure, unit ?? '');
  if (length === null) return null;
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
export function questionPeriods(question: string): { text: string; periods: WrittenPeriod[] } {
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

/** Units of periods that a rule counts in a smaller unit. */
const LONGER: Readonly<Record<string, { times: number; unit: TimeUnit }>> = {
  weeks: { times: 7, unit: 'days' },
  years: { times: 12, unit: 'months' },
};

/** Returns a period in hours, days or months; null: its unit is none of time. */
export function periodLength(count: number, written: string): { count: number; unit: TimeUnit } | null {
  const unit = unitFrom(written);
  const longer = LONGER[unit];
  if (longer !== undefined) return { count: count * longer.times, unit: longer.unit };
  return unit === 'hours' || unit === 'days' || unit === 'months' ? { count, unit } : null;
}

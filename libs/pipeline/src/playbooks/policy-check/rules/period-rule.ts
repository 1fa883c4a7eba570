import type { Fact } from '@casefile/contracts';
import { contentWords, hasAll, hasWord } from './content-words.js';
import type { NamedFact, Sentence } from './sections-and-facts.js';
import { NOT_PLAIN, doubted, open, type CheckedAgainst, type Finding, type Requirement } from './rule.js';

/** `A claim must be notified to us within 30 days of the loss date`, `... no later than 14 days after notice`. */
const PERIOD =
  // eslint-disable-next-line regexp/no-super-linear-backtracking -- a sentence is short: LONGEST_SENTENCE
  /^(?<subject>.+?)\s+(?:must|shall|has to|have to|is to|are to)\s+(?<act>[^.;]+?)\s+(?:within|no later than|not later than)\s+(?<count>\d{1,4})\s+(?:calendar\s+)?(?<unit>hour|day|week)s?\s+(?:of|after|from|following)\s+(?<event>[^.;,]+)\.?$/i;
/** Names what a case is about, so any of its facts may have it in its name. */
const CASE_WORDS = contentWords('loss event incident claim case');
/** Says of a fact that it is a time. */
const TIME_WORDS = contentWords('date day time hour moment');
const DURATION = /^(?<unit>hours|days)_(?:from|between|since)_(?<from>.+)_(?:to|and|until)_(?<to>.+)$/s;

interface Period {
  count: number;
  unit: TimeUnit;
  title: string[];
  subject: string[];
  act: string[];
  event: string[];
  /** Whose event: `its discovery` is that of the subject. */
  of: string[];
}

/** A requirement that something be done within so many hours, days or weeks of an event; null: the sentence is none. S4-40. */
export function periodRequirement(sentence: Sentence): Requirement | null {
  const groups = PERIOD.exec(sentence.text)?.groups;
  if (groups === undefined || NOT_PLAIN.test(sentence.text)) return null;
  const { subject = '', act = '', count = '', unit = '', event = '' } = groups;
  if (/\d/.test(`${subject}${act}${event}`) || /\b(?:or|and)\b/i.test(event)) return null;
  const weeks = unit.toLowerCase() === 'week';
  const period: Period = {
    count: Number(count) * (weeks ? 7 : 1),
    unit: unit.toLowerCase() === 'hour' ? 'hours' : 'days',
    title: contentWords(sentence.section.node.title),
    subject: contentWords(subject),
    act: contentWords(act),
    event: contentWords(event).filter((word) => !hasWord(TIME_WORDS, word)),
    of: /^(?:its|their)\b/i.test(event) ? contentWords(subject) : [],
  };
  return {
    kind: 'period',
    sentence,
    subject: period.subject,
    key: `${period.count} ${period.unit}`,
    check: (at) => checked(period, at),
  };
}

function checked(period: Period, { facts, asked }: CheckedAgainst): Finding {
  const starts = facts.filter((fact) => isTime(fact) && begins(fact.words, period));
  const ends = facts.filter((fact) => isTime(fact) && completes(fact.words, period, asked, true));
  const stated = facts.filter((fact) => statesPeriod(fact, period, asked));
  const linked = [...starts, ...ends, ...stated];
  const doubt = doubted(linked);
  if (doubt !== null) return doubt;
  if (starts.length > 1 || ends.length > 1 || stated.length > 1)
    return open('More than one fact may be what the requirement means.', linked);
  const measured = [...measuredBetween(starts[0], ends[0], period), ...statedBy(stated[0])];
  const [first, other] = measured;
  if (first === undefined)
    return open('The times that the requirement turns on are not all among the facts.', linked);
  const met = first <= period.count;
  if (first < 0 || (other !== undefined && other <= period.count !== met))
    return open('The times among the facts do not go together.', linked);
  return {
    kind: 'decided',
    met,
    facts: linked.map(({ best }) => best),
    why: `The requirement gives ${period.count} ${period.unit}; it took ${first} ${period.unit}.`,
  };
}

function isTime({ best }: NamedFact): boolean {
  return momentOf(best.value) !== null;
}

// Of a name the last word says what happened: `decision_letter_posted_on` is no time of receiving.
function begins(words: readonly string[], { event, of }: Period): boolean {
  const { head, rest } = happening(words);
  if (head === undefined || !hasWord(event, head)) return false;
  if (!hasAll([...event, ...of, ...CASE_WORDS], rest)) return false;
  return event.filter((word) => hasWord(words, word)).length * 2 >= event.length;
}

function completes(
  words: readonly string[],
  period: Period,
  asked: readonly string[],
  isMoment: boolean,
): boolean {
  const { title, subject, act } = period;
  const { head, rest } = happening(words);
  const done = isMoment ? act : [...act, ...title];
  return head !== undefined && hasWord(done, head) && hasAll([...subject, ...act, ...title, ...asked], rest);
}

function happening(words: readonly string[]): { head: string | undefined; rest: string[] } {
  const told = words.filter((word) => !hasWord(TIME_WORDS, word));
  return { head: told.at(-1), rest: told.slice(0, -1) };
}

function statesPeriod({ name, best }: NamedFact, period: Period, asked: readonly string[]): boolean {
  const { unit, from, to } = DURATION.exec(name)?.groups ?? {};
  if (unit === undefined || from === undefined || to === undefined || typeof best.value !== 'number')
    return false;
  if (unit !== period.unit || (best.unit !== undefined && best.unit !== unit)) return false;
  const words = (part: string): string[] => contentWords(part.replaceAll('_', ' '));
  return begins(words(from), period) && completes(words(to), period, asked, false);
}

function measuredBetween(
  start: NamedFact | undefined,
  end: NamedFact | undefined,
  { unit }: Period,
): number[] {
  const from = start && momentOf(start.best.value);
  const to = end && momentOf(end.best.value);
  const time = from && to ? timeBetween(from, to, unit) : null;
  return time === null ? [] : [time];
}

function statedBy(fact: NamedFact | undefined): number[] {
  return typeof fact?.best.value === 'number' ? [fact.best.value] : [];
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;
const HOUR_MS = 3_600_000;

type TimeUnit = 'hours' | 'days';

interface Moment {
  /** Of midnight, as if the date were one of UTC. */
  dateMs: number;
  /** Since midnight; null: only the day is known. */
  timeMs: number | null;
  /** As it was written; '' where none was. */
  offset: string;
}

/** The day or time that a value writes in the form of ISO 8601; null: it is none, or one that no calendar has. */
export function momentOf(value: Fact['value']): Moment | null {
  const [, date, time, seconds = '00', offset = ''] =
    (typeof value === 'string' && MOMENT.exec(value.trim())) || [];
  if (date === undefined) return null;
  const dateMs = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(dateMs) || new Date(dateMs).toISOString().slice(0, 10) !== date) return null;
  if (time === undefined) return { dateMs, timeMs: null, offset };
  const timeMs = Date.parse(`1970-01-01T${time}:${seconds}Z`);
  return Number.isNaN(timeMs) ? null : { dateMs, timeMs, offset };
}

/**
 * From one moment to another. Days are counted from the day after the first, whole and whatever the time of day; hours
 * run without a break and need both times. null where it cannot be told, as with offsets that differ.
 */
function timeBetween(from: Moment, to: Moment, unit: TimeUnit): number | null {
  if (from.offset !== to.offset && from.timeMs !== null && to.timeMs !== null) return null;
  if (unit === 'days') return Math.round((to.dateMs - from.dateMs) / (24 * HOUR_MS));
  if (from.timeMs === null || to.timeMs === null) return null;
  return (to.dateMs + to.timeMs - from.dateMs - from.timeMs) / HOUR_MS;
}

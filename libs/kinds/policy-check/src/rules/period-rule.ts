import { contentWords, hasAll, hasWord } from './content-words.js';
import type { NamedFact, PolicySentence } from './sections-and-facts.js';
import {
  NOT_PLAIN,
  doubtedFacts,
  open,
  type CheckedAgainst,
  type RuleFinding,
  type Requirement,
} from './rule.js';
import {
  groupPeriod,
  measureIn,
  measureOf,
  negationWords,
  parseTime,
  PERIOD_LINK,
  PERIOD_PHRASE,
  periodKey,
  periodLength,
  timesBetween,
  withPlainPeriods,
  type WrittenPeriod,
} from '@casefile/pipeline/reading/index';

/** Words that make a sentence a requirement. Only the first ones of a sentence are tried. */
const MODAL = /\s(?:must|shall|has to|have to|is to|are to)\s/gi;
const MOST_MODALS = 4;
/** Policies also state a requirement as a practice: `Receipts are handed in within 30 days after the trip`. */
const STATED = /\s(?:is|are)\s/gi;
/** A participle, also with its adverb. */
const PARTICIPLE = /^[a-z]{2,30}(?:ed|en|wn|nt|id|de|ld|ne)(?: (?:in|out|back|up|over))?$/i;
/** Words that make what a sentence states depend on something, or a part of another statement. */
const DEPENDENT =
  /\b(?:that|which|who|whose|if|when|where|unless|although|while|because|once|after|before)\b/i;
const PERIOD = new RegExp(String.raw`\s${PERIOD_PHRASE}\s${PERIOD_LINK}\s`, 'gi');
/**
 * Words before a period that reverse it or belong to another limit. `kept for at least` is not the time of an
 * act.
 */
const ANOTHER_LIMIT = new RegExp(
  String.raw`\b(?:${negationWords('en')}|within|than|least|most|only)\b|\bfor$`,
  'i',
);
const OTHER_EVENT = /\b(?:or|and|but|within|than|least|most)\b/i;
/** Words for the subject of a case. Any of its facts may have them in its name. */
const CASE_WORDS = contentWords('loss event incident claim case');
/** Words in the name of a fact that mark it as a time. */
const TIME_WORDS = contentWords('date day time hour moment');
/** Verbs that only state that the subject happens. */
const GIVEN = contentWords('given made provided sent delivered completed carried out done take place follow');
const DURATION = /^(?<unit>hours|days)_(?:from|between|since)_(?<from>.+)_(?:to|and|until)_(?<to>.+)$/s;
/** A count that names one event: `days_after_trip`, with or without the act before it (`submitted_days_after_trip`). */
const COUNT = /^(?:(?<act>.+)_)?(?<unit>hours|days)_(?<side>after|before)_(?<event>.+)$/s;

interface Period extends WrittenPeriod {
  title: string[];
  subject: string[];
  act: string[];
  event: string[];
  /** Owner of the event: in `its discovery`, the subject. */
  of: string[];
}

/**
 * Reads a requirement that something happens within a number of hours, days, weeks, months or years of an
 * event; null: the sentence is none (S4-40).
 */
export function periodRequirement(sentence: PolicySentence): Requirement | null {
  const parts = sentenceParts(sentence.text);
  if (parts === null || NOT_PLAIN.test(sentence.text)) return null;
  const { subject, act, event, groups } = parts;
  if (/\d/.test(`${subject}${act}${event}`) || OTHER_EVENT.test(event)) return null;
  const written = groupPeriod(groups);
  // `must not be opened within 30 days of` states a time to wait, which this rule does not read.
  if (written === null || ANOTHER_LIMIT.test(`${subject} ${act}`)) return null;
  const period: Period = {
    ...written,
    title: contentWords(sentence.section.node.title),
    subject: contentWords(subject),
    act: contentWords(act),
    event: contentWords(event).filter((word) => !hasWord(TIME_WORDS, word)),
    of: /^(?:its|their)\b/i.test(event) ? contentWords(subject) : [],
  };
  return requirementOf(period, sentence);
}

function requirementOf(period: Period, sentence: PolicySentence): Requirement {
  return {
    kind: 'period',
    sentence,
    subject: period.subject,
    key: periodKey(period),
    dimension: 'time',
    anchor: [...period.event, ...TIME_WORDS],
    check: (at) => checkedPeriod(period, at),
    withFigure: ({ figure, unit }) => {
      const length = periodLength(figure, unit);
      return length === null ? null : requirementOf({ ...period, ...length }, sentence);
    },
  };
}

interface Parts {
  subject: string;
  act: string;
  event: string;
  /** Named groups of the pattern of a period. */
  groups: Partial<Record<string, string>>;
}

/**
 * Returns the parts of `A claim must be notified to us within 30 days of the loss date`, or of `... no later
 * than fourteen (14) days after notice`; null: the sentence has another form. Several patterns are used,
 * because a single one would not take linear time.
 */
function sentenceParts(sentence: string): Parts | null {
  const text = withPlainPeriods(sentence.replace(/\s+/g, ' ').trim());
  const required = partsAfter(MODAL, text);
  if (required !== null) return required;
  const stated = partsAfter(STATED, text);
  return stated !== null && PARTICIPLE.test(stated.act) && !DEPENDENT.test(stated.subject) ? stated : null;
}

function partsAfter(verbs: RegExp, text: string): Parts | null {
  const modals = [...text.matchAll(verbs)].slice(0, MOST_MODALS);
  for (const { 0: modal, index } of modals) {
    const rest = text.slice(index + modal.length - 1);
    for (const found of rest.matchAll(PERIOD)) {
      const act = rest.slice(0, found.index).trim();
      const event = rest.slice(found.index + found[0].length).replace(/\.$/, '');
      const isPlain = act !== '' && !/[.;]/.test(act) && event !== '' && !/[.;,]/.test(event);
      if (isPlain) return { subject: text.slice(0, index), act, event, groups: found.groups ?? {} };
    }
  }
  return null;
}

function checkedPeriod(period: Period, { facts, asked }: CheckedAgainst): RuleFinding {
  const starts = facts.filter((fact) => isTime(fact) && begins(fact.words, period));
  const ends = facts.filter((fact) => isTime(fact) && completes(fact.words, period, asked, true));
  const stated = facts.filter((fact) => statesPeriod(fact, period, asked));
  const linked = [...starts, ...ends, ...stated];
  const doubt = doubtedFacts(linked);
  if (doubt !== null) return doubt;
  if (starts.length > 1 || ends.length > 1 || stated.length > 1)
    return open('More than one fact may be what the requirement means.', linked);
  const measured = [...measuredBetween(starts[0], ends[0], period), ...statedBy(stated[0], period)];
  const [first] = measured;
  if (first === undefined)
    return open('The times that the requirement turns on are not all among the facts.', linked);
  const met = isMet(first, period);
  if (first < 0 || measured.some((time) => isMet(time, period) !== met))
    return open('The times among the facts do not go together.', linked);
  if (met === null)
    return open('Whether the first and the last day count is not said, and it turns on that.', linked);
  return {
    kind: 'decided',
    met,
    facts: linked.map(({ best }) => best),
    why: reasonText(first, period),
  };
}

// `At least 14 days before` may include the first or last day or not. For exactly 14 days the result is
// therefore open.
function isMet(time: number, { count, unit, limit }: Period): boolean | null {
  if (limit === 'most') return time <= count;
  return time === count && unit !== 'hours' ? null : time >= count;
}

function reasonText(time: number, { count, unit, limit, side }: Period): string {
  const isPart = unit === 'months' && !Number.isInteger(time);
  const taken = isPart ? `more than ${Math.floor(time)} ${unit}` : `${time} ${unit}`;
  return limit === 'most'
    ? `The requirement gives ${count} ${unit}; it took ${taken}.`
    : `The requirement is at least ${count} ${unit} ${side} the event; it was ${taken}.`;
}

function isTime({ best }: NamedFact): boolean {
  return parseTime(best.value) !== null;
}

// The last word of a name states what happened: `decision_letter_posted_on` is not a time of receipt.
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
  // `the first response must be given`: the noun states what happens.
  const isGiven = act.length > 0 && act.every((word) => GIVEN.includes(word));
  const done = [...act, ...(isMoment ? [] : title), ...(isGiven ? subject : [])];
  return head !== undefined && hasWord(done, head) && hasAll([...subject, ...act, ...title, ...asked], rest);
}

function happening(words: readonly string[]): { head: string | undefined; rest: string[] } {
  const told = words.filter((word) => !hasWord(TIME_WORDS, word));
  return { head: told.at(-1), rest: told.slice(0, -1) };
}

function statesPeriod({ name, best }: NamedFact, period: Period, asked: readonly string[]): boolean {
  const counted = countedBetween(name, period.side);
  if (counted === null) return false;
  const { unit, event, act } = counted;
  if (unit !== period.unit || (best.unit !== undefined && best.unit !== unit)) return false;
  const words = (part: string): string[] => contentWords(part.replaceAll('_', ' '));
  return begins(words(event), period) && (act === null || completes(words(act), period, asked, false));
}

/** Returns what the name of a fact counts: the unit, the event, and the act, which is null if the name has none. */
function countedBetween(name: string, side: Period['side']) {
  const { unit, from, to } = DURATION.exec(name)?.groups ?? {};
  if (unit !== undefined && from !== undefined && to !== undefined)
    return side === 'after' ? { unit, event: from, act: to } : { unit, event: to, act: from };
  const count = COUNT.exec(name)?.groups;
  if (count?.['unit'] === undefined || count['event'] === undefined || count['side'] !== side) return null;
  return { unit: count['unit'], event: count['event'], act: count['act'] ?? null };
}

function measuredBetween(
  event: NamedFact | undefined,
  act: NamedFact | undefined,
  { unit, side }: Period,
): number[] {
  const [start, end] = side === 'after' ? [event, act] : [act, event];
  const from = start && parseTime(start.best.value);
  const to = end && parseTime(end.best.value);
  return from && to ? timesBetween(from, to, unit) : [];
}

/** Returns the count that a fact states, as a number or as text (`31`, `31 days`). */
function statedBy(fact: NamedFact | undefined, { unit }: Period): number[] {
  if (fact === undefined) return [];
  const stated = measureIn(fact.best.value, unit, 'en');
  const one = measureOf(1, unit);
  return stated?.dimension === one.dimension ? [stated.base / one.base] : [];
}

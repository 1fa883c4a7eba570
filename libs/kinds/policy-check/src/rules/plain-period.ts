import {
  limitsIn,
  parseTime,
  periodKey,
  periodLength,
  timesBetween,
  type WrittenPeriod,
} from '@casefile/pipeline/reading/index';
import {
  askedWords,
  enoughOf,
  foldedWords,
  hasForm,
  isDenying,
  isJoining,
  isMeasureWord,
  isTurned,
  limitingWords,
  plainTable,
  tellingWords,
  type PlainLanguage,
} from './plain-words.js';
import { doubtedFacts, open, type CheckedAgainst, type Requirement, type RuleFinding } from './rule.js';
import type { NamedFact, PolicySentence } from './sections-and-facts.js';

const LONGEST = 300;
type Within = Readonly<Partial<Record<string, { within: string; link: string }>>>;
const FORMS = new Map(
  Object.entries(plainTable.within as Within).map(([language, words]) => [
    language,
    {
      before: new RegExp(String.raw`(?<!\p{L})(?:${words!.within})\s{0,2}$`, 'iu'),
      link: new RegExp(String.raw`^\s{1,2}(?:${words!.link})(?!\p{L})`, 'iu'),
    },
  ]),
);

interface PlainPeriod extends WrittenPeriod {
  language: PlainLanguage;
  /** Words before the period, and words of the event with what follows it. */
  before: readonly string[];
  event: readonly string[];
}

/**
 * Reads a requirement of a language other than English that something happens within a period after an event
 * (`innerhalb von 14 Tagen nach der Lieferung`); null: the sentence is none, or it has another clause (S4-40).
 */
export function plainPeriod(sentence: PolicySentence, language: PlainLanguage): Requirement | null {
  const { text } = sentence;
  const forms = FORMS.get(language);
  if (forms === undefined || text.length > LONGEST) return null;
  const limits = limitsIn(text, language);
  const [limit] = limits;
  if (limit === undefined || limits.length > 1 || (text.match(/\d[\d,.]*\d|\d/g) ?? []).length > 1)
    return null;
  const [lead, tail] = [text.slice(0, limit.from), text.slice(limit.to)];
  const length = periodLength(limit.figure, limit.unit);
  const link = forms.link.exec(tail)?.[0];
  if (length === null || link === undefined || !forms.before.test(lead)) return null;
  const rest = `${lead.replace(forms.before, ' ')} ${tail.slice(link.length)}`;
  const words = foldedWords(rest);
  if (
    words.some((word) => isJoining(word, language)) ||
    isDenying(rest, language) ||
    limitingWords(rest, language) !== null
  )
    return null;
  if (/[,;:]/.test(rest)) return null;
  return requirementOf(
    {
      ...length,
      limit: 'most',
      side: 'after',
      language,
      before: tellingWords(lead.replace(forms.before, ' '), language),
      event: tellingWords(tail.slice(link.length), language),
    },
    sentence,
  );
}

function requirementOf(period: PlainPeriod, sentence: PolicySentence): Requirement {
  return {
    kind: 'period',
    sentence,
    subject: [...period.before, ...period.event],
    key: periodKey(period),
    dimension: 'time',
    anchor: period.event,
    isFor: (at) => isAskedFor(period, at),
    check: (at) => checkedPeriod(period, at),
    withFigure: ({ figure, unit }) => {
      const length = periodLength(figure, unit);
      return length === null ? null : requirementOf({ ...period, ...length }, sentence);
    },
  };
}

function isAskedFor({ language, before, event }: PlainPeriod, { question }: CheckedAgainst): boolean {
  if (isTurned(question, language) || isDenying(question, language) || enoughOf(question) !== null)
    return false;
  if (limitsIn(question, language).length > 0) return false;
  const asked = askedWords(question, language);
  const all = [...before, ...event];
  return (
    asked.length > 0 &&
    before.some((word) => hasForm(asked, word, language)) &&
    strange(asked, all, language) <= 1
  );
}

// The question may use another form of the verb (`eingegangen` for `eingehen`), but no second word of its own.
const strange = (words: readonly string[], known: readonly string[], language: PlainLanguage): number =>
  words.filter((word) => !hasForm(known, word, language)).length;

function checkedPeriod(period: PlainPeriod, { facts, question }: CheckedAgainst): RuleFinding {
  const { language, before, event } = period;
  const all = [...before, ...event, ...askedWords(question, language)];
  const dated = facts.filter(({ best }) => parseTime(best.value) !== null);
  const wordsOf = ({ name }: NamedFact) =>
    tellingWords(name.replaceAll('_', ' '), language).filter((word) => !isMeasureWord(word));
  const isOf = (fact: NamedFact, words: readonly string[]) => {
    const own = wordsOf(fact);
    return own.length > 0 && own.every((word) => hasForm(words, word, language));
  };
  const starts = dated.filter((fact) => isOf(fact, event));
  const ends = dated.filter(
    (fact) =>
      !starts.includes(fact) &&
      isOf(fact, all) &&
      wordsOf(fact).some((word) => hasForm(before, word, language)),
  );
  const linked = [...starts, ...ends];
  const doubt = doubtedFacts(linked);
  if (doubt !== null) return doubt;
  const [start, end] = [starts[0], ends[0]];
  if (starts.length > 1 || ends.length > 1)
    return open('More than one fact may be what the requirement means.', linked);
  if (start === undefined || end === undefined)
    return open('The times that the requirement turns on are not all among the facts.', linked);
  const times = timesBetween(parseTime(start.best.value)!, parseTime(end.best.value)!, period.unit);
  const [first] = times;
  if (
    first === undefined ||
    first < 0 ||
    times.some((time) => time <= period.count !== first <= period.count)
  )
    return open('The times among the facts do not go together.', linked);
  return {
    kind: 'decided',
    met: first <= period.count,
    facts: linked.map(({ best }) => best),
    why: `The requirement gives ${period.count} ${period.unit}; it took ${Number.isInteger(first) ? first : `more than ${Math.floor(first)}`} ${period.unit}.`,
  };
}

import {
  compareMeasures,
  limitsIn,
  measureIn,
  measureOf,
  parseTime,
  timesBetween,
  withoutComparisons,
  type Limit,
  type Measure,
  type Relation,
} from '@casefile/pipeline/reading/index';
import type { PlainLimit } from './stated-limit.js';
import { isMeasured, measureOfFact, nameWordsIn, shown, valuesIn, whyNone } from './measured-facts.js';
import { asksForCompliance } from './asks-for-compliance.js';
import {
  aspectsOf,
  askedWords,
  enoughOf,
  foldedWords,
  hasForm,
  isCondition,
  isDenying,
  isDistributed,
  isJoining,
  isNet,
  isTurned,
  limitingWords,
  needsConsent,
  plainTable,
  rateIn,
  tellingWords,
  type PlainLanguage,
} from './plain-words.js';
import { doubtedFacts, open, type CheckedAgainst, type Requirement, type RuleFinding } from './rule.js';
import type { NamedFact, PolicySentence } from './sections-and-facts.js';

const LONGEST = 300;
/** `in case of a delay of more than 3 hours` states the limit itself and no other case. */
const IN_CASE = new RegExp(String.raw`(?<!\p{L})(?:${plainTable.inCase})(?!\p{L})`, 'giu');
const LEAST_WORD = /(?<!\p{L})(?:minimum|minimal\p{L}*|mindest\p{L}*|m[ií]nim\p{L}+)/iu;
const MOST_WORD =
  /(?<!\p{L})(?:maximum|maximal\p{L}*|höchst\p{L}*|m[aá]xim\p{L}+|massim\p{L}+|obergrenze|plafond)/iu;

/**
 * Reads a sentence that limits one quantity (`a delay of more than 6 hours`, `höchstens 10 kg`); null: the sentence
 * has another clause, figure or reading (S4-40).
 */
export function plainLimit(sentence: PolicySentence, language: PlainLanguage): Requirement | null {
  const { text } = sentence;
  if (text.length > LONGEST || text.startsWith('|')) return null;
  const all = limitsIn(text, language);
  const limits = all.filter((one) => !isCountOfOthers(one));
  const [limit] = limits;
  if (limit === undefined || limits.length > 1 || limit.unit === '') return null;
  if ((text.replaceAll(/[mk]?m[23²³]/gu, '').match(/\d[\d,.]*\d|\d/g) ?? []).length > 1) return null;
  const relation = limit.relation ?? relationOfWords(text);
  if (relation === null) return null;
  const counted = all.filter(isCountOfOthers).map(({ said }) => said.split(' ')[0]!);
  const found = rateIn(text.slice(limit.to), language);
  const rate = found?.from === 0 ? found : null;
  const behind = text.slice(limit.to + (rate?.to ?? 0));
  const rest = counted.reduce(
    (kept, word) => kept.replace(word, ' '),
    withoutComparisons(`${text.slice(0, limit.from)} ${behind}`),
  );
  if (!isPlain(rest, text.slice(0, limit.from), language)) return null;
  const measure = measureOfLimit(limit, language);
  if (measure === null) return null;
  const words = tellingWords(rest, language);
  const plain: PlainLimit = {
    limit,
    relation,
    measure,
    language,
    words,
    matter: words,
    titleWords: tellingWords(sentence.section.node.title, language),
    isDenial: isDenying(rest, language),
    isNet: isNet(text),
    each: rate?.each ?? null,
  };
  return limitRequirement(plain, sentence);
}

/** Returns the requirement that a limit is kept. */
export function limitRequirement(plain: PlainLimit, sentence: PolicySentence): Requirement {
  const { relation, measure } = plain;
  return {
    kind: 'bound',
    sentence,
    subject: [...plain.words],
    key: `${relation} ${measure.base} ${measure.dimension} ${plain.each ?? ''}`,
    dimension: measure.dimension,
    isFor: (at) => isAskedFor(plain, at),
    check: (at) => checkedLimit(plain, at),
    withFigure: (limit) => {
      const changed = measureOf(limit.figure, limit.unit);
      if (changed.dimension !== measure.dimension) return null;
      return limitRequirement({ ...plain, limit, measure: changed }, sentence);
    },
  };
}

/** Returns the measure of a limit; null: its number has two readings, as `1.500` in an English policy. */
export function measureOfLimit({ said, figure, unit }: Limit, language: PlainLanguage): Measure | null {
  const [digits] = /\d[\d.,]*\d|\d/.exec(said) ?? [];
  if (digits !== undefined && measureIn(digits, unit, language) === null) return null;
  return measureOf(figure, unit);
}

// `between two shifts` counts things, and limits nothing.
function isCountOfOthers({ said, relation, figure, unit }: Limit): boolean {
  return relation === null && !/\d/.test(said) && measureOf(figure, unit).dimension === unit;
}

/** Returns the relation that words such as `maximum` state; null: they state none, or both. */
export function relationOfWords(text: string): Relation | null {
  const [least, most] = [LEAST_WORD.test(text), MOST_WORD.test(text)];
  if (least === most) return null;
  return least ? 'least' : 'most';
}

// One condition is plain if it holds the figure: `when it costs less than 500 EUR`.
function isPlain(rest: string, before: string, language: PlainLanguage): boolean {
  const words = foldedWords(rest);
  if (needsConsent(rest, language) || isDistributed(rest, language)) return false;
  if (words.some((word) => isJoining(word, language))) return false;
  const conditions = words.filter((word) => isCondition(word, language));
  if (conditions.length > 1) return false;
  const [condition] = conditions;
  const after = condition === undefined ? '' : before.toLowerCase().split(condition).at(-1)!;
  if (condition !== undefined && (after === before.toLowerCase() || /[,;:]/.test(after))) return false;
  const other = limitingWords(rest.replaceAll(IN_CASE, ' '), language);
  return other === null || isCondition(foldedWords(other)[0] ?? '', language);
}

function isAskedFor(plain: PlainLimit, { question, facts }: CheckedAgainst): boolean {
  const { language, words, titleWords, matter, relation, measure, isDenial, each } = plain;
  const stated = limitsIn(question, language);
  const [own] = stated;
  const isOwn = own !== undefined && own.relation === relation && isSame(own, measure);
  if (stated.length > 1 || (own !== undefined && !isOwn)) return false;
  const whole = isOwn
    ? withoutComparisons(`${question.slice(0, own.from)} ${question.slice(own.to)}`)
    : question;
  const rate = rateIn(whole, language);
  if (rate !== null && rate.each !== each) return false;
  const asked = rate === null ? whole : `${whole.slice(0, rate.from)} ${whole.slice(rate.to)}`;
  if (isTurned(asked, language) || isDenying(asked, language)) return false;
  if (language === 'en' && !asksForCompliance(asked)) return false;
  const enough = enoughOf(question);
  const side = relation === 'least' || relation === 'over' ? 'least' : 'most';
  if (enough !== null && (enough !== side || isDenial)) return false;
  const isHere = (word: string) =>
    aspectsOf(word).length > 0 || hasForm([...words, ...titleWords], word, language);
  const sought = askedWords(asked, language);
  if (sought.length === 0 || !sought.every(isHere)) return false;
  if (!sought.some((word) => hasForm(matter, word, language))) return false;
  if (isOwn) return true;
  const known = [
    ...tellingWords(asked, language),
    ...facts.flatMap((fact) => [...nameWordsIn(fact, language), ...valuesIn(fact, language)]),
  ];
  return words.every((word) => aspectsOf(word).length > 0 || hasForm(known, word, language));
}

function isSame(own: Limit, measure: Measure): boolean {
  const asked = measureOf(own.figure, own.unit);
  return asked.dimension === measure.dimension && Math.abs(asked.base - measure.base) <= 1e-9 * measure.base;
}

function checkedLimit(plain: PlainLimit, at: CheckedAgainst): RuleFinding {
  const linked = at.facts.filter((fact) => isMeasured(fact, plain, at.question));
  const alike = linked.filter((fact) => measureOfFact(fact, plain)?.dimension === plain.measure.dimension);
  const [fact] = alike;
  if (fact === undefined) return lasted(plain, at) ?? open(whyNone(linked, plain), linked);
  if (alike.length > 1) return open('More than one fact may be what the requirement means.', alike);
  const doubt = doubtedFacts(alike);
  if (doubt !== null) return doubt;
  const isFactNet = isNet(fact.name.replaceAll('_', ' '));
  if (plain.isNet !== isFactNet)
    return open(
      'One of the two amounts is net and the other does not say so, which the rules do not convert.',
      alike,
    );
  return decided(plain, measureOfFact(fact, plain)!, [fact], `${fact.name} is ${shown(fact)}`);
}

function decided(plain: PlainLimit, value: Measure, facts: readonly NamedFact[], said: string): RuleFinding {
  const { relation, measure, limit, isDenial } = plain;
  const holds = compareMeasures(value, relation, measure);
  if (holds === null) return open('Whether the limit is kept depends on the length of a month.', facts);
  if (isDenial && !holds)
    return open('The sentence refuses a case that is not this one, and grants nothing.', facts);
  return {
    kind: 'decided',
    met: holds && !isDenial,
    facts: facts.map(({ best }) => best),
    why: `The requirement is ${RELATION_WORDS[relation]} ${limit.said}; ${said}.`,
  };
}

const RELATION_WORDS = { most: 'at most', least: 'at least', over: 'more than', under: 'less than' } as const;
const BEGINS = new Set([...foldedWords(plainTable.begins), ...foldedWords(plainTable.born)]);
const ENDS = new Set(foldedWords(plainTable.ends));
const BORN = new Set(foldedWords(plainTable.born));

/** Compares the time between the begin and the end of the subject; null: the facts do not have both. */
function lasted(plain: PlainLimit, { facts, question }: CheckedAgainst): RuleFinding | null {
  const { measure, limit, language, words, titleWords } = plain;
  if (measure.dimension !== 'time' && measure.dimension !== 'calendar') return null;
  const dated = facts.filter(({ best }) => parseTime(best.value) !== null);
  const wordsOf = ({ name }: NamedFact) => foldedWords(name);
  const starts = dated.filter((fact) => wordsOf(fact).some((word) => BEGINS.has(word)));
  const isAge = starts.some((fact) => wordsOf(fact).some((word) => BORN.has(word)));
  const ends = dated.filter(
    (fact) => !starts.includes(fact) && (isAge || wordsOf(fact).some((word) => ENDS.has(word))),
  );
  const [start, end] = [starts[0], ends[0]];
  if (start === undefined || end === undefined || starts.length > 1 || ends.length > 1) return null;
  if (!isAge && dated.length > 2) return null;
  const all = [...words, ...titleWords, ...tellingWords(question, language)];
  if (isAge !== all.some((word) => aspectsOf(word).includes('age')) && isAge) return null;
  const strange = [start, ...(isAge ? [] : [end])].flatMap((fact) =>
    nameWordsIn(fact, language).filter(
      (word) =>
        !BEGINS.has(word) &&
        !ENDS.has(word) &&
        !foldedWords(fact.name).some(
          (one) => (BEGINS.has(one) || ENDS.has(one)) && one.startsWith(word.slice(0, 3)),
        ) &&
        !hasForm(all, word, language),
    ),
  );
  if (strange.length > 0) return null;
  const doubt = doubtedFacts([start, end]);
  if (doubt !== null) return doubt;
  const unit =
    measure.dimension === 'calendar'
      ? 'months'
      : limit.unit === 'days' || limit.unit === 'weeks'
        ? 'days'
        : 'hours';
  const times = timesBetween(parseTime(start.best.value)!, parseTime(end.best.value)!, unit);
  const [first] = times;
  if (first === undefined || times.length > 1 || first < 0)
    return open('The times among the facts do not go together.', [start, end]);
  const said = `from ${start.name} to ${end.name} it is ${Number.isInteger(first) ? first : `more than ${Math.floor(first)}`} ${unit}`;
  return decided(plain, measureOf(first, unit), [start, end], said);
}

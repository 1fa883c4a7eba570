import type { CitableFact } from '@casefile/contracts';
import type { Contradiction, FindContradictions } from '@casefile/pipeline/parts/contradicting';
import { inLine } from '@casefile/pipeline/plain-text';
import { bundleOf } from './case-bundle.js';
import type { ContradictedBy } from './contradiction-table.js';
import { resultToExamine } from './examine.js';
import { quotedSentences, type QuotedSentence } from './quoted-sentences.js';
import { asksForCompliance, ruledAnswer } from './rules/check-by-rules.js';
import { contentWords, hasWord } from './rules/content-words.js';
import {
  figureIn,
  type Limit,
  limitsIn,
  negationWords,
  parseTime,
  periodLength,
  timesBetween,
  unitFrom,
} from '@casefile/pipeline/reading/index';
import { knownWords, namedFacts, valueWords, type NamedFact } from './rules/sections-and-facts.js';
import { STATUS_WORDS } from './words.js';

type AnswerContradiction = Contradiction & { by: ContradictedBy };

/** Texts and facts that an answer is compared with. */
interface AnswerGround {
  /** Word stems of the criterion. */
  asked: readonly string[];
  rationale: string;
  quoted: readonly QuotedSentence[];
  /** The cited facts, with all their readings. */
  cited: readonly NamedFact[];
  facts: readonly NamedFact[];
  language: string;
}

/**
 * Returns the contradictions of a model's answer. If the rules decide the criterion, only they are compared.
 * Otherwise an answer MET is compared with the limits of the quoted sentences, and its quotes with what they
 * omit.
 */
export const contradictions: FindContradictions = (input) => {
  const result = resultToExamine(input);
  if (result === null) return [];
  const { status, citations, rationale, text, id } = result;
  const quoted = quotedSentences(input.draft, citations);
  const ruled = ruledAnswer(input, id);
  if (ruled !== null) {
    if (ruled.status === status) return [];
    const message = `The answer is “${STATUS_WORDS[status]}”${citedWords(quoted)}, but the rules reach “${STATUS_WORDS[ruled.status]}” from the same policy and facts. ${inLine(ruled.rationale, 400)}`;
    return [{ by: 'rules', message } satisfies AnswerContradiction];
  }
  if (status !== 'MET') return [];
  const { facts, policy } = bundleOf(input.brief);
  const named = namedFacts(facts);
  const used = new Set(citations.flatMap((one) => (one.kind === 'fact' ? one.factIds : [])));
  const ground: AnswerGround = {
    asked: contentWords(text),
    rationale,
    quoted,
    cited: named.filter(({ readings }) => readings.some((fact) => used.has(fact.id))),
    facts: named,
    language: policy.language,
  };
  const computed =
    asksForCompliance(text) && !TURNED.test(text) ? [...brokenLimits(ground), ...brokenOrder(ground)] : [];
  return [...computed, ...quoted.flatMap((one) => leftOut(one, ground)), ...otherSubject(ground)];
};

const TURNED = new RegExp(String.raw`\b(?:${negationWords('de')}|zu spät|überschr\w{1,20})\b`, 'iu');
/**
 * Matches words of another clause that may reverse the limit of a sentence or restrict it to a special case.
 */
const CONDITIONAL =
  /\b(?:unless|except|instead|whichever|if|otherwise|without|with|where|when|for|wenn|außer|ohne|mit|für)\b/iu;
/** Maximum number of characters of a quote in a message. */
const SHOWN = 200;

const citedWords = ([first]: readonly QuotedSentence[]): string =>
  first === undefined ? '' : ` by “${inLine(first.quote, SHOWN)}” [${first.name}]`;

const inSentence = ({ sentence, name }: QuotedSentence): string => `“${inLine(sentence, SHOWN)}” [${name}]`;

/** Limits of the quoted sentences that no other clause changes. */
function plainLimits({ quoted, language }: AnswerGround): { limit: Limit; of: QuotedSentence }[] {
  return quoted.flatMap((of) => limitsIn(of.sentence, language).map((limit) => ({ limit, of })));
}

function brokenLimits(ground: AnswerGround): AnswerContradiction[] {
  if (ground.quoted.some(({ sentence }) => CONDITIONAL.test(sentence))) return [];
  const all = plainLimits(ground);
  const units = [...new Set(all.map(({ limit }) => limit.unit))].filter((unit) => unit !== '');
  const [time] = brokenInterval(ground, all);
  const amounts = units.flatMap((unit): AnswerContradiction[] => {
    const limits = all.filter(({ limit }) => limit.unit === unit);
    const facts = ground.cited.flatMap((fact) => measuredFact(fact, unit, ground.language));
    const [first] = facts;
    const isBroken = (figure: number) => limits.every(({ limit }) => breaks(figure, limit));
    if (first === undefined || !facts.every(({ figure }) => isBroken(figure))) return [];
    const shown = `${first.fact.name} is ${factText(first.fact.best)}`;
    return [
      { by: 'limit', message: `The answer is “met”, but ${shown}, against ${inSentence(limits[0]!.of)}.` },
    ];
  });
  return [...(time === undefined ? [] : [time]), ...amounts];
}

const factText = ({ value, unit }: CitableFact): string =>
  inLine(`${value}${unit === undefined ? '' : ` ${unit}`}`, 100);

function breaks(figure: number, { bound, figure: limit }: Limit): boolean {
  if (bound === null) return false;
  return bound === 'most' ? figure > limit : figure < limit;
}

// Counts have no unit: `unpaid_fines` is a number of fines.
function measuredFact(
  fact: NamedFact,
  unit: string,
  language: string,
): { fact: NamedFact; figure: number }[] {
  const { best, doubt, words } = fact;
  const figure = figureIn(best.value, language);
  if (figure === null || doubt !== null) return [];
  const isOne =
    best.unit === undefined ? hasWord(words, contentWords(unit)[0] ?? unit) : unitFrom(best.unit) === unit;
  return isOne ? [{ fact, figure }] : [];
}

const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)$/;

/**
 * Compares the time between the only two cited dates or times of day with every period of the quoted
 * sentences.
 */
function brokenInterval(
  { cited }: AnswerGround,
  all: readonly { limit: Limit; of: QuotedSentence }[],
): AnswerContradiction[] {
  const periods = all.filter(({ limit }) => periodLength(limit.figure, limit.unit) !== null);
  const [first] = periods;
  const sure = cited.filter(({ doubt }) => doubt === null);
  const dates = sure.filter(({ best }) => parseTime(best.value) !== null);
  const clocks = sure.filter(({ best }) => CLOCK.test(String(best.value)));
  const pair = dates.length === 2 ? dates : dates.length === 0 && clocks.length === 2 ? clocks : [];
  const [one, other] = pair;
  if (first === undefined || one === undefined || other === undefined) return [];
  const readings = (limit: Limit): { time: number; count: number }[] => {
    if (pair === clocks) {
      const apart = Math.abs(namedFactMinutes(other) - namedFactMinutes(one)) / 60;
      return limit.unit === 'hours' ? [{ time: apart, count: limit.figure }] : [];
    }
    const length = periodLength(limit.figure, limit.unit);
    if (length === null || length.unit === 'hours') return [];
    const [from, to] = [one, other]
      .map(({ best }) => parseTime(best.value)!)
      .toSorted((a, b) => a.dateMs - b.dateMs);
    return timesBetween(from!, to!, length.unit).map((time) => ({ time, count: length.count }));
  };
  const isBroken = ({ limit }: { limit: Limit }) => {
    const read = readings(limit);
    return read.length > 0 && read.every(({ time, count }) => breaks(time, { ...limit, figure: count }));
  };
  if (!periods.every(isBroken)) return [];
  const unit = periodLength(first.limit.figure, first.limit.unit)?.unit;
  const [took = 0] = readings(first.limit).map(({ time }) => Math.floor(time * 10) / 10);
  const isPart = unit === 'months' && !Number.isInteger(took);
  const apart = `${isPart ? `more than ${Math.floor(took)}` : took} ${unit} apart`;
  const shown = `${one.name} is ${factText(one.best)} and ${other.name} is ${factText(other.best)}, ${apart}`;
  return [{ by: 'interval', message: `The answer is “met”, but ${shown}, against ${inSentence(first.of)}.` }];
}

function namedFactMinutes({ best }: NamedFact): number {
  const [, hours = 0, minutes = 0] = CLOCK.exec(String(best.value)) ?? [];
  return Number(hours) * 60 + Number(minutes);
}

/**
 * Matches an event that must come later: `before the journey`, `vor dem Kauf`, at the end of the sentence.
 */
const BEFORE = /\b(?:before|prior to|vor)\s(?:(?:the|its|dem|der|den)\s)?(?<event>[\p{L}-]{3,40})/giu;

/** Finds an event that the quoted sentence puts last although the only other cited date is later. */
function brokenOrder({ quoted, cited }: AnswerGround): AnswerContradiction[] {
  const dates = cited.filter(({ best, doubt }) => doubt === null && parseTime(best.value) !== null);
  if (dates.length !== 2) return [];
  return quoted
    .flatMap((of): AnswerContradiction[] => {
      for (const { groups } of of.sentence.matchAll(BEFORE)) {
        const stems = contentWords(groups?.['event'] ?? '');
        const [event, ...more] = dates.filter(({ words }) => stems.some((stem) => hasWord(words, stem)));
        const act = dates.find((fact) => fact !== event);
        if (event === undefined || more.length > 0 || act === undefined) continue;
        if (parseTime(act.best.value)!.dateMs <= parseTime(event.best.value)!.dateMs) continue;
        const shown = `${act.name} is ${factText(act.best)}, after ${event.name} (${factText(event.best)})`;
        return [{ by: 'order', message: `The answer is “met”, but ${shown}, against ${inSentence(of)}.` }];
      }
      return [];
    })
    .slice(0, 1);
}

/** Words that restrict what a sentence allows. */
const RESTRICTS =
  /\b(?:only|unless|except|before|until|needs?|requires?|must|at all times|not if|nur|außer|bevor|vor|muss|müssen)\b/iu;
/** A special case right before the quoted words: `in London and Zurich`, `for an adoption,`. */
const SPECIAL_CASE =
  /(?:^|[,;.]\s|\s)(?:for|in|with|bei|für|mit)\s(?<special>[^,;.]{1,80}?),?\s?(?:they|it)?\s?$/iu;

/**
 * Returns what a quote omits from its sentence: a limit, a condition, or the special case to which the
 * sentence applies. Empty: it omits nothing that the answer needs.
 */
export function leftOut(
  of: QuotedSentence,
  { quoted, rationale, facts, language }: Pick<AnswerGround, 'quoted' | 'rationale' | 'facts' | 'language'>,
): AnswerContradiction[] {
  const { before, behind, quote } = of;
  const rest = `${before} … ${behind}`;
  const others = [rationale, ...quoted.map((one) => one.quote)].flatMap((text) => limitsIn(text, language));
  const stated = new Set(others.map(({ figure }) => figure));
  // A limit before the quoted words may limit something else.
  const limits = limitsIn(behind, language);
  const said = `The answer is “met” by the words “${inLine(quote, SHOWN)}”, but they leave out`;
  const [special] = SPECIAL_CASE.exec(before.split(/[;.]/).at(-1) ?? '')?.slice(1) ?? [];
  const stems = contentWords(special ?? '');
  const known = [
    ...knownWords(facts),
    ...facts.filter(({ best }) => best.value !== false).flatMap(valueWords),
  ];
  if (stems.length > 0 && !stems.some((stem) => hasWord(known, stem)))
    return [{ by: 'exception', message: `${said} the case in which alone they hold: ${inSentence(of)}.` }];
  if (
    limits.length > 0 &&
    limitsIn(quote, language).length === 0 &&
    !limits.some(({ figure }) => stated.has(figure))
  )
    return [{ by: 'left_out', message: `${said} the limit: ${inSentence(of)}.` }];
  if (RESTRICTS.test(rest) && !RESTRICTS.test(quote))
    return [{ by: 'condition', message: `${said} a condition: ${inSentence(of)}.` }];
  return [];
}

/** Finds quotes that share no word with the criterion or the cited facts. */
function otherSubject({ quoted, asked, cited }: AnswerGround): AnswerContradiction[] {
  const [first] = quoted;
  if (first === undefined) return [];
  const words = [...asked, ...cited.flatMap((fact) => [...fact.words, ...valueWords(fact)])];
  const own = quoted.flatMap(({ sentence, name }) => contentWords(`${name} ${sentence}`));
  if (own.some((word) => hasWord(words, word))) return [];
  return [
    {
      by: 'other_subject',
      message: `The answer is “met” by ${inSentence(first)}, which shares no word with the criterion.`,
    },
  ];
}

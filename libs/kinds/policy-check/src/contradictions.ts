import type { CitableFact } from '@casefile/contracts';
import type { Contradiction, FindContradictions } from '@casefile/pipeline/parts/contradicting';
import { inLine } from '@casefile/pipeline/plain-text';
import { bundleOf } from './case-bundle.js';
import type { ContradictedBy } from './contradiction-table.js';
import { resultToExamine } from './examine.js';
import { quotedSentences, type QuotedSentence } from './quoted-sentences.js';
import { asksForCompliance, ruledAnswer } from './rules/check-by-rules.js';
import {
  type Limit,
  limitsIn,
  negationWords,
  parseTime,
  periodLength,
  timesBetween,
} from '@casefile/pipeline/reading/index';
import { namedFacts, type NamedFact } from './rules/sections-and-facts.js';
import { STATUS_WORDS } from './words.js';

type AnswerContradiction = Contradiction & { by: ContradictedBy };

/**
 * Returns the contradictions of a model's answer. If the rules decide the criterion, only they are compared.
 * Otherwise the time between two dates is compared with the periods of the quoted sentences. The typed claims compare the
 * rest.
 */
export const contradictions: FindContradictions = (input) => {
  const result = resultToExamine(input);
  if (result === null) return [];
  const { status, citations, text, id } = result;
  const quoted = quotedSentences(input.draft, citations);
  const ruled = ruledAnswer(input, id);
  if (ruled !== null) {
    if (ruled.status === status) return [];
    const message = `The answer is “${STATUS_WORDS[status]}”${citedWords(quoted)}, but the rules reach “${STATUS_WORDS[ruled.status]}” from the same policy and facts. ${inLine(ruled.rationale, 400)}`;
    return [{ by: 'rules', message } satisfies AnswerContradiction];
  }
  if (status !== 'MET' || !asksForCompliance(text) || TURNED.test(text)) return [];
  const { facts, policy } = bundleOf(input.brief);
  const used = new Set(citations.flatMap((one) => (one.kind === 'fact' ? one.factIds : [])));
  const cited = namedFacts(facts).filter(({ readings }) => readings.some((fact) => used.has(fact.id)));
  return brokenInterval(cited, quoted, policy.language);
};

const TURNED = new RegExp(String.raw`\b(?:${negationWords('de')}|zu spät|überschr\w{1,20})\b`, 'iu');
/**
 * Matches words of another clause that may reverse the limit of a sentence or restrict it to a special case.
 */
const CONDITIONAL =
  /\b(?:unless|except|instead|whichever|if|otherwise|without|with|where|when|for|wenn|außer|ohne|mit|für|per|par|pro|je|por)\b/iu;
/** Maximum number of characters of a quote in a message. */
const SHOWN = 200;

const citedWords = ([first]: readonly QuotedSentence[]): string =>
  first === undefined ? '' : ` by “${inLine(first.quote, SHOWN)}” [${first.name}]`;

const inSentence = ({ sentence, name }: QuotedSentence): string => `“${inLine(sentence, SHOWN)}” [${name}]`;

const factText = ({ value, unit }: CitableFact): string =>
  inLine(`${value}${unit === undefined ? '' : ` ${unit}`}`, 100);

function breaks(figure: number, { bound, figure: limit }: Limit): boolean {
  if (bound === null) return false;
  return bound === 'most' ? figure > limit : figure < limit;
}

const CLOCK = /^([01]\d|2[0-3]):([0-5]\d)$/;

/**
 * Compares the time between the only two cited dates or times of day with every period of the quoted
 * sentences.
 */
function brokenInterval(
  cited: readonly NamedFact[],
  quoted: readonly QuotedSentence[],
  language: string,
): AnswerContradiction[] {
  if (quoted.some(({ sentence }) => CONDITIONAL.test(sentence))) return [];
  const all = quoted.flatMap((of) => limitsIn(of.sentence, language).map((limit) => ({ limit, of })));
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

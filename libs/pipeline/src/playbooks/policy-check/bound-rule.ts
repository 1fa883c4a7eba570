import { sameValue } from '../../citations/same-value.js';
import { contentWords, hasAll, hasWord, MEASURE_WORDS } from './content-words.js';
import type { NamedFact } from './established-facts.js';
import type { Sentence } from './found-sections.js';
import { NOT_PLAIN, doubted, open, type CheckedAgainst, type Finding, type Requirement } from './rule.js';

const AMOUNT = String.raw`(?<before>[£$€₹]?)\s?(?<figure>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s?(?<after>[\p{L}%°][\p{L}%°/]*)?`;
const MOST = String.raw`up to(?: and including)?|no more than|not more than|at most|not above|no higher than|not exceed`;
const LEAST = String.raw`at least|no fewer than|not fewer than|no less than|not less than`;
/** `The home must be heated to at least 12 °C`, `A trip is insured for up to 60 days`. */
const BOUND = new RegExp(
  // eslint-disable-next-line regexp/no-super-linear-backtracking -- a sentence is short: LONGEST_SENTENCE
  String.raw`^(?<subject>.+?)\s+(?:must|shall|may not|(?:is|are)\s+(?:insured|covered|paid|allowed|accepted))\b(?<what>[^.;]*?)\s+(?:(?<most>${MOST})|(?<least>${LEAST}))\s+${AMOUNT}(?<tail>[^.;,]*)\.?$`,
  'iu',
);
const OTHER_CLAUSE = /\b(?:or|and|where|when|while|until|before|within|but)\b/i;

interface Bound {
  most: boolean;
  figure: number;
  unit: string | null;
  words: string[];
  shown: string;
}

/** A requirement that a figure be no more, or no less, than so much of one unit; null: the sentence is none. S4-40. */
export function boundRequirement(sentence: Sentence): Requirement | null {
  const { text } = sentence;
  const groups = BOUND.exec(text)?.groups;
  if (groups === undefined || NOT_PLAIN.test(text)) return null;
  const { subject = '', what = '', most, least, before = '', figure = '', after, tail = '' } = groups;
  const rest = text.replace('up to and including', 'up to');
  if ((text.match(/\d[\d,.]*\d|\d/g) ?? []).length > 1 || OTHER_CLAUSE.test(rest)) return null;
  // `must not be up to`, `must be not at least`: what is meant is not plain.
  if (/\bnot\b/i.test(what) || (/\bmay not\b/i.test(text) && least !== undefined)) return null;
  const bound: Bound = {
    most: most !== undefined,
    figure: Number(figure.replaceAll(',', '')),
    unit: before || (after ?? null),
    words: contentWords(`${subject} ${what} ${tail} ${sentence.section.node.title}`),
    shown: `${most ?? least} ${before}${figure}${after === undefined ? '' : ` ${after}`}`,
  };
  return {
    ...{ kind: 'bound', sentence, subject: contentWords(subject), key: bound.shown },
    check: (at) => checked(bound, at),
  };
}

function checked(bound: Bound, { facts, asked }: CheckedAgainst): Finding {
  const linked = facts.filter((fact) => isMeasured(fact, bound, asked));
  const [fact] = linked;
  if (fact === undefined) return open('The figure that the requirement turns on is not among the facts.');
  if (linked.length > 1) return open('More than one fact may be what the requirement means.', linked);
  const doubt = doubted(linked);
  if (doubt !== null) return doubt;
  const value = Number(fact.best.value);
  const met = bound.most ? value <= bound.figure : value >= bound.figure;
  return {
    ...{ kind: 'decided', met, facts: [fact.best] },
    why: `The requirement is ${bound.shown}; ${fact.name} is ${value}.`,
  };
}

// The same unit on both sides, and nothing in its name that neither the requirement nor the criterion speaks of.
function isMeasured(
  { words, best }: NamedFact,
  { unit, words: said }: Bound,
  asked: readonly string[],
): boolean {
  if (typeof best.value !== 'number' || (unit === null) !== (best.unit === undefined)) return false;
  if (unit !== null && !sameValue(best, best.value, unit)) return false;
  const telling = words.filter((word) => !hasWord(MEASURE_WORDS, word));
  return (
    telling.length > 0 && hasAll([...said, ...asked], telling) && telling.some((word) => hasWord(said, word))
  );
}

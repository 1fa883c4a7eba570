import { contentWords, hasAll } from './content-words.js';
import { figuresOf, namesNumber } from './limiting-sentences.js';
import { isDenying, isPermitting, limitingWords, rateIn, type PlainLanguage } from './plain-words.js';
import type { CheckedAgainst, Requirement, RuleFinding } from './rule.js';
import { isDenied, type NamedFact, type PolicySentence, type Section } from './sections-and-facts.js';

type Decided = Extract<RuleFinding, { kind: 'decided' }>;

/**
 * Returns a fact that denies what the requirement names besides its figure (`director_approval: no` under `with the
 * approval of a director`); null: there is none.
 */
export function deniedWithin(
  { sentence }: Requirement,
  { facts: used }: Decided,
  { facts }: Pick<CheckedAgainst, 'facts'>,
): NamedFact | null {
  const words = contentWords(sentence.text);
  const isNamed = (fact: NamedFact) => fact.words.length > 0 && hasAll(words, fact.words);
  const isUsed = (fact: NamedFact) => used.some(({ id }) => id === fact.best.id);
  return facts.find((fact) => isDeniedBy(fact) && !isUsed(fact) && isNamed(fact)) ?? null;
}

// A denial that was read with little confidence counts as well.
const isDeniedBy = (fact: NamedFact): boolean => isDenied({ ...fact, doubt: null });

/**
 * Returns the sentences that give another figure for the clause of the requirement (`in London the limit in 2.1 is
 * 210 EUR`), by whether the case has the same result under that figure.
 */
export function otherFigures(
  requirement: Requirement,
  { met }: Decided,
  sections: readonly Section[],
  at: CheckedAgainst,
  language: PlainLanguage,
): { agreeing: PolicySentence[]; changing: PolicySentence[] } {
  const { sentence: own, dimension, withFigure } = requirement;
  const { number } = own;
  const agreeing: PolicySentence[] = [];
  const changing: PolicySentence[] = [];
  if (number === null || withFigure === undefined) return { agreeing, changing };
  for (const sentence of sections.flatMap(({ sentences }) => sentences)) {
    if (sentence.text === own.text || !namesNumber(sentence.text, number)) continue;
    const [figure, ...others] = figuresOf(sentence.text, dimension, language);
    if (figure === undefined || others.length > 0) continue;
    const finding = withFigure(figure)?.check(at);
    const isSame = finding?.kind === 'decided' && finding.met === met;
    if (!isSame || isOfOtherRate(sentence.text, own.text, language)) changing.push(sentence);
    else if (isReplacing(sentence.text, figure.from, language)) agreeing.push(sentence);
  }
  return { agreeing, changing };
}

// `600 EUR per trip` takes no place of `140 EUR per night`. Without a rate, it is that of the requirement.
function isOfOtherRate(text: string, own: string, language: PlainLanguage): boolean {
  const rate = rateIn(text, language);
  return rate !== null && rate.each !== rateIn(own, language)?.each;
}

/** The figure takes the place of the other one, and is not added to it or a condition. */
const REPLACING = /\b(?:is|are|to)\s{1,2}$/i;

function isReplacing(text: string, from: number, language: PlainLanguage): boolean {
  if (language !== 'en' || !REPLACING.test(text.slice(Math.max(0, from - 10), from))) return false;
  return (
    limitingWords(text, language) === null && !isDenying(text, language) && !isPermitting(text, language)
  );
}
